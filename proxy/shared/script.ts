// A Lua script that Redis runs as one step: it reads the time, decides and counts, and nothing comes between. Policy:
// scripts take the time from Redis (TIME), so replicas' clocks need not agree; all of the proxy's keys begin with
// `sign:`, and each has an expiry. Two deployments that share a Redis need a database each (the number at the end of
// its URL).
import { createHash } from 'node:crypto';

export interface Script {
  readonly text: string;
  /** Under which Redis remembers it. */
  readonly sha1: string;
}

export function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

// Which frames of a page may reach the service (SEMANTICS, upgrade). Policy: V1, V2 and V3 share one address and the
// version is detected from the first message (document 3, Versioning), so a `session.start` of any version but "3.0"
// stops here. Everything else goes on untouched, malformed JSON and unknown types too: the service has codes for them.
// A frame is parsed only when it can be a session.start: when it has those letters, or a \u escape that may spell them.
import { PROTOCOL_VERSION } from '../src/protocol/protocol-version.ts';

export type Verdict = 'start' | 'refuse' | 'other';

export function judgeFrame(data: Buffer): Verdict {
  if (!data.includes('session.start') && !data.includes('\\u')) return 'other';
  const frame = parseObject(data);
  if (frame?.type !== 'session.start') return 'other';
  return frame.version === PROTOCOL_VERSION ? 'start' : 'refuse';
}

/** The `id` that an answer to this frame has to name as its `ref`; empty when it has none. */
export function idOf(data: Buffer): string {
  const id = parseObject(data)?.id;
  return typeof id === 'string' ? id : '';
}

function parseObject(data: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

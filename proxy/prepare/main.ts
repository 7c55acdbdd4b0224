#!/usr/bin/env node
// The program sign-prepare.
// - SIGINT or SIGTERM: nothing new is begun, and what is under way is finished; a second signal ends that too.
import { progressTo } from './progress.ts';
import { signPrepare } from './sign-prepare.ts';

const [stop, abort] = [new AbortController(), new AbortController()];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (stop.signal.aborted ? abort : stop).abort());

process.exitCode = await signPrepare(process.argv.slice(2), {
  env: process.env,
  print: (line) => console.log(line),
  warn: (line) => console.error(line),
  progress: progressTo(process.stderr),
  stop: stop.signal,
  abort: abort.signal,
});

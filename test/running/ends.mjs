// Ends a process of node tests that goes on after its last test, because a server, socket or process that a failed test left open
// would keep it for the whole time that a file has.
// - It has half a minute, in which the clean-up of the file runs too. Then the file has failed, and says what was open.
// - What its tests started is ended with it: it may hold the output that the runner waits for.
import { after } from 'node:test';
import { endStartedBy, startedAs } from './started-by.mjs';

const LONGEST_END_MS = 30_000;
/** A test may leave a clock in its place. */
const wait = setTimeout;
const id = `file.${process.pid}`;
Object.assign(process.env, startedAs(id));

after(() => {
  wait(() => {
    // Two are the runner's.
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${LONGEST_END_MS / 1000} s after its last test, with these open: ${open}`);
    endStartedBy(id);
    process.exit(1);
  }, LONGEST_END_MS).unref();
});

// Ends a process of node tests that goes on after its last test, because a server, socket or process that a failed test left open
// would keep it running until the time limit of the file.
// - The process has 30 s, in which the clean-up of the file runs too. After them the file has failed and prints what was open.
// - The processes that its tests started are ended with it, because they may hold open the output that the runner waits for.
import { after } from 'node:test';
import { endStartedBy, startedAs } from './started-by.mjs';

const LONGEST_END_MS = 30_000;
/** The real timer: a test may leave a fake one in its place. */
const wait = setTimeout;
const id = `file.${process.pid}`;
Object.assign(process.env, startedAs(id));

after(() => {
  wait(() => {
    // Two of these resources are the test runner's own.
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${LONGEST_END_MS / 1000} s after its last test, with these open: ${open}`);
    endStartedBy(id);
    process.exit(1);
  }, LONGEST_END_MS).unref();
});

// Ends a process of node tests that waits for ever: in a test, or after the last one, because a failed test left a server, socket
// or process open. Otherwise it would run until the time limit of the file, which names no test.
// - A test has ten minutes. After them the file has failed and prints the name of the test. The ten minutes begin again while the
//   test works more than it waits, because work takes longer on a busy machine.
// - After its last test, once all its files are loaded, the process has 30 s, in which the clean-up of the file runs too. After
//   them the file has failed.
// - While the runner has not read all output, the time begins again, because on a busy machine the runner is late.
// - It prints the open resources.
// - The processes that its tests started are ended with it, because they may hold open the output that the runner waits for.
import { after, afterEach, beforeEach } from 'node:test';
import { endStartedBy, startedAs } from './started-by.mjs';

/** The longest test takes half a minute, and on a slow and busy machine five. */
const LONGEST_TEST_MS = 600_000;
const LONGEST_END_MS = 30_000;
/** The real timers: a test may leave fake ones in their place. */
const [wait, noLonger] = [setTimeout, clearTimeout];
const id = `file.${process.pid}`;
Object.assign(process.env, startedAs(id));

/** Milliseconds for which this process has waited for something. */
const waited = () => performance.eventLoopUtilization().idle;

/** Ends this process after this time, with a timer that does not keep it running. The returned function cancels that. */
function endAfter(ms, when) {
  const before = waited();
  const timer = wait(() => {
    if (process.stdout.writableLength > 0 || waited() - before < ms / 2) return void timer.refresh();
    // Two of these resources are the test runner's own.
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${ms / 1000} s after ${when}, with these open: ${open}`);
    endStartedBy(id);
    process.exit(1);
  }, ms).unref();
  return () => noLonger(timer);
}

const endings = new Map();
let isLoaded = false;
/** A test was the last one, as far as Node (20) knew: it takes the last test before a file that waits while it loads for it. */
let wasLast = false;
let goOn = () => {};
function endSoon() {
  goOn();
  if (isLoaded && wasLast && endings.size === 0) goOn = endAfter(LONGEST_END_MS, 'its last test');
}

/** To be called when all files of the process are loaded. */
export function allLoaded() {
  isLoaded = true;
  endSoon();
}

beforeEach((t) => {
  goOn();
  endings.set(t, endAfter(LONGEST_TEST_MS, `the start of "${t.name}"`));
});
afterEach((t) => {
  endings.get(t)?.();
  endings.delete(t);
  endSoon();
});
after(() => {
  wasLast = true;
  endSoon();
});

// How long each task of a page's main thread took, by the browser's own trace.
// - A task in which V8 only collects is told apart from those that run a script. A collection within a script's task counts as a
//   part of that task.
import type { Page } from 'puppeteer-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur: number;
}

interface Traced<T> {
  readonly value: T;
  /** Milliseconds of each task that runs a script. */
  readonly tasks: readonly number[];
  /** Milliseconds of each collection that is a task by itself. */
  readonly collections: readonly number[];
}

const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
  'v8',
  'toplevel',
];
const SCRIPT = /^(?:TimerFire|FunctionCall|RunMicrotasks|EvaluateScript|v8\.callFunction)$/;

/** Runs `work`, and gives the tasks between two marks (`performance.mark()`) that the page makes in it. */
export async function mainThreadTasks<T>(
  page: Page,
  [begins, ends]: readonly [string, string],
  work: () => Promise<T>,
): Promise<Traced<T>> {
  await page.tracing.start({ categories: CATEGORIES });
  const value = await work();
  const trace = await page.tracing.stop();
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace)) as { traceEvents: TraceEvent[] };
  const [begin, end] = [begins, ends].map((mark) => traceEvents.find(({ name }) => name === mark)!);
  const mine = traceEvents.filter(
    ({ ph, pid, tid, ts, dur }) =>
      ph === 'X' && pid === begin!.pid && tid === begin!.tid && ts + dur >= begin!.ts && ts <= end!.ts,
  );
  const tasks = mine.filter(({ name }) => name === 'RunTask');
  const isIn = (task: TraceEvent, name: RegExp): boolean =>
    mine.some((one) => name.test(one.name) && one.ts >= task.ts && one.ts + one.dur <= task.ts + task.dur);
  const ofScripts = tasks.filter((task) => isIn(task, SCRIPT));
  const ofCollector = tasks.filter((task) => !ofScripts.includes(task) && isIn(task, /^(?:Minor|Major)GC$/));
  const ms = ({ dur }: TraceEvent): number => dur / 1000;
  return { value, tasks: ofScripts.map(ms), collections: ofCollector.map(ms) };
}

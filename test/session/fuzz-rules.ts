// What must hold of the texts of a schedule, whatever the schedule.
import type { FuzzProxy } from './fuzz-proxy.ts';
import type { Schedule } from './fuzz-schedules.ts';
import type { FuzzService, Reaction } from './fuzz-service.ts';
import { isAbort, type Signed } from './fuzz-signed.ts';
import { isAscending, placeOf } from './fuzz-texts.ts';

/** A schedule that was played to its end. */
interface Ran {
  readonly schedule: Schedule;
  readonly service: FuzzService;
  readonly proxy: FuzzProxy;
  readonly signed: readonly Signed[];
  /** Errors of the session that name no text. */
  readonly failures: readonly unknown[];
}

/** Exactly once, or one failure with its reason. */
export function brokenByTexts({ schedule, service, signed: all, failures }: Ran): string[] {
  const wrong: string[] = [];
  for (const signed of all) {
    const { text, outcome, reason, results, errors, accepted } = signed;
    const is = (rule: string) => wrong.push(`${text}: ${rule}`);
    if (outcome === 'open') is('never settled');
    if (accepted > 1) is('accepted twice');
    if (new Set(results.map((part) => part.partIndex)).size < results.length) is('a part with two results');
    for (const result of results) {
      if (service.textAt(result.url) !== result.text) is('the video of another text');
    }
    if (outcome === 'resolved' && schedule.mode === 'translate') {
      const whole = results.sort((a, b) => a.partIndex - b.partIndex).map((result) => result.text);
      if (whole.join(' ') !== text) is('not all of it was signed');
      if (errors.length > 0 && !signed.wasRenewed) is('resolved, with an error');
    }
    if (outcome === 'rejected' && !isAbort(reason)) {
      const reports = [...errors, ...failures].filter((error) => error === reason);
      if (reports.length !== 1 || (errors.length > 1 && !signed.wasRenewed))
        is('a failure that was not reported exactly once');
    }
    if (
      isAbort(reason) &&
      !signed.stop.signal.aborted &&
      !schedule.steps.some((step) => step.do === 'clear' || step.do === 'end')
    )
      is('aborted by nobody');
  }
  return wrong;
}

/**
 * Over each transport texts are sent for the first time in call order; in a stream no text passes another, and no text is sent
 * again after it started.
 */
export function brokenByOrder({ schedule, service, proxy, signed }: Ran): string[] {
  const wrong: string[] = [];
  const { sent, sockets } = service;
  const calls = sent.map(({ data }) => placeOf(data)[0]);
  // By REST a text first waits for the proxy. Meanwhile texts over V3 and texts that were refused less often pass it. A text that
  // the proxy refused may wait for its next try when a socket is ready, and then goes over V3 behind them.
  const mayWait = (call: number): boolean =>
    schedule.transport === 'auto' && proxy.hasRefused && signed[call]!.mayUseRest;
  for (const isRest of proxy.hasRefused ? [false] : [false, true]) {
    const first = sent.filter(
      ({ socket }, at) => !socket === isRest && calls.indexOf(calls[at]!) === at && !mayWait(calls[at]!),
    );
    if (!isAscending(first.map(({ data }) => placeOf(data)[0]))) wrong.push('not in call order');
  }
  if (schedule.mode === 'translate') return wrong;
  for (const { text, startedOn } of signed) {
    if (startedOn === 'rest') continue;
    const isLate = sent.some(
      ({ socket, data }) =>
        startedOn && socket && sockets.indexOf(socket) > sockets.indexOf(startedOn) && text.startsWith(data),
    );
    if (isLate) wrong.push(`${text}: sent again after it had started`);
  }
  // A text that fails after its acknowledgement is sent again after those that were accepted meanwhile.
  const fails = ({ kind, refused }: Reaction): boolean =>
    kind === 'error-and-result' || (kind === 'error' && !refused);
  if (schedule.reactions.some(fails)) return wrong;
  // A text that REST could not send is passed by those that went over V3 meanwhile. V3 may need it in more parts than REST.
  const byRest = new Set(sent.flatMap(({ socket, data }) => (socket ? [] : [placeOf(data)[0]])));
  for (const socket of sockets) {
    const places = sent
      .filter((each) => each.socket === socket)
      .map(({ data }) => placeOf(data))
      .filter(([call]) => !byRest.has(call));
    if (!isAscending(places.map(([call, word]) => call * 1_000 + word))) wrong.push('passed in a stream');
  }
  return wrong;
}

// Counts the seconds of video and the characters of one session from the frames that pass (document 3, text, result and
// session.summary).
// - a result counts once for its `ref`: `result.fetch` sends it again. The last 1,000 refs are known.
// - the summary has the billable sum: what is missing up to it is added.
// - characters are those of each text that goes up, so a text that is sent again counts again. A frame with a text that cannot be
//   read here counts with all its bytes: the service may read it nevertheless.
// - a stream has no results. While it is open its time counts towards the caps; one that ends without a summary counts from its
//   session.start to its end.
// - when a client leaves before a result, the service may have made it: texts without an answer count with an estimate. They do not
//   count when we or the service ended the session, because pages then send them again. Of several frames with one id a result
//   answers the longest text, an error the shortest, because an id that is used twice is refused (document 3, Errors).
// - a text that may go over a cap together with those under way has to wait for them: `backpressure`.
import type { Clock } from '../clock.ts';
import { isTooComplex } from '../json-complexity.ts';
import type { Spending } from '../limits/spending.ts';
import { bytesOf, jsonOf, type Message } from './message.ts';

const MAX_REFS = 1_000;
const MAX_UNANSWERED = 1_000;
/** A frame of a client with more than this holds no text that the service accepts. */
const LIMITS = { depth: 64, values: 1_000 };
/** No result, summary or error of the service has more than this. 1 MB of brackets would take 200 ms to parse. */
const SERVICE_LIMITS = { depth: 64, values: 10_000 };

/** Names of what is counted of the service. One pattern, because a search for each takes four times as long where none is found. */
const COUNTED = /"(?:duration_seconds|total_video_duration_sec|error)"/;

/** A frame without an answer. */
interface Unanswered {
  readonly id: unknown;
  /** Its estimated seconds; 0 for what is no text. */
  readonly seconds: number;
}

interface SessionSpending {
  /** A session.start went to the service. */
  started(message: Message): void;
  /** Another frame is to go to the service. Returns the id of a text that has to wait, null for a frame that may go. */
  send(message: Message): string | null;
  /** A frame of the service came. */
  received(message: Message): void;
  /** `countsUnanswered` is false when the client did not cause the end. */
  ended(countsUnanswered: boolean): void;
  /** The session ended before anything had gone to the service. */
  dropped(): void;
}

export function sessionSpending(
  clock: Clock,
  spending: Pick<Spending, 'add' | 'expect' | 'mustWait' | 'streaming'>,
): SessionSpending {
  /** The newest refs, the next one at `nextRef`: a list, because each result adds one and few are looked for. */
  const refs: unknown[] = [];
  let nextRef = 0;
  /** The frames without an answer, in no order: a list, because a session has few of them under way. */
  const unanswered: Unanswered[] = [];
  let counted = 0;
  let stream: { readonly since: number; readonly stop: () => void } | null = null;

  const add = (seconds: unknown): void => {
    if (typeof seconds !== 'number' || !(seconds > 0)) return;
    counted += seconds;
    spending.add({ seconds });
  };
  const endStream = (): void => {
    stream?.stop();
    stream = null;
  };
  const awaitAnswer = (id: unknown, seconds: number): void => {
    // More than a session of the service has under way.
    if (unanswered.length >= MAX_UNANSWERED) return add(seconds);
    spending.expect(seconds);
    unanswered.push({ id, seconds });
  };
  /** Returns the seconds that were expected of the frame that is answered; 0 when none was waiting. */
  const answered = (id: unknown, isResult: boolean): number => {
    let found: Unanswered | null = null;
    for (const frame of unanswered) {
      if (frame.id !== id) continue;
      if (found === null || (isResult ? frame.seconds > found.seconds : frame.seconds < found.seconds))
        found = frame;
    }
    if (found === null) return 0;
    const last = unanswered.pop();
    if (last !== undefined && last !== found) unanswered[unanswered.indexOf(found)] = last;
    spending.expect(-found.seconds);
    return found.seconds;
  };
  /** Ends the wait for all answers. */
  const forget = (count: boolean): void => {
    for (const { seconds } of unanswered) {
      spending.expect(-seconds);
      if (count) add(seconds);
    }
    unanswered.length = 0;
  };

  return {
    started(message) {
      if (fieldsOf(message, LIMITS)?.mode === 'stream')
        stream ??= { since: clock.now(), stop: spending.streaming() };
    },
    send(message) {
      const { text } = message;
      // All other frames are not parsed; a name may be written with escapes.
      const isOfInterest =
        text.includes('"data"') || text.includes('\\u') || (unanswered.length > 0 && text.includes('"id"'));
      if (!isOfInterest) return null;
      const fields = fieldsOf(message, LIMITS);
      if (fields === null) {
        spending.add({ characters: text.length });
        return null;
      }
      const { type, id, data } = fields;
      if (type !== 'text' || typeof data !== 'string') {
        if (unanswered.some((frame) => frame.id === id)) awaitAnswer(id, 0);
        return null;
      }
      const { characters, seconds: estimate } = sizeOf(data);
      const seconds = stream === null ? estimate : 0;
      if (seconds > 0 && spending.mustWait(seconds)) return typeof id === 'string' ? id : '';
      spending.add({ characters });
      if (seconds > 0) awaitAnswer(id, seconds);
      return null;
    },
    received(message) {
      // All other frames are not parsed.
      if (!COUNTED.test(message.text)) return;
      const { type, ref, duration_seconds: seconds, usage } = fieldsOf(message, SERVICE_LIMITS) ?? {};
      if (type === 'session.summary') {
        const { total_video_duration_sec: total } = (usage ?? {}) as Record<string, unknown>;
        if (typeof total !== 'number') return;
        add(total - counted);
        forget(false);
        endStream();
      }
      if (type === 'error') answered(ref, false);
      if (type !== 'result') return;
      if (answered(ref, true) === 0 && refs.includes(ref)) return;
      refs[nextRef] = ref;
      nextRef = (nextRef + 1) % MAX_REFS;
      add(seconds);
    },
    ended(countsUnanswered) {
      if (stream !== null) add((clock.now() - stream.since) / 1000 - counted);
      endStream();
      forget(countsUnanswered);
    },
    dropped() {
      forget(false);
      endStream();
    },
  };
}

/**
 * The characters of a text, as people count them, and an estimate of how long it takes to sign, for a text without a response
 * (SEMANTICS, Stream mode): by its words, and by its characters where it has no spaces. Counted in one pass, for each text goes here.
 */
export function sizeOf(text: string): { readonly characters: number; readonly seconds: number } {
  let characters = text.length;
  /** Runs of white space. */
  let spaces = 0;
  let isSpace = false;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A pair of surrogates is one character.
    if ((code & 0xfc00) === 0xdc00 && (before & 0xfc00) === 0xd800) characters -= 1;
    const wasSpace = isSpace;
    isSpace = isWhiteSpace(code);
    if (isSpace && !wasSpace) spaces += 1;
    before = code;
  }
  return { characters, seconds: 1 + Math.max(0.6 * (1 + spaces), 0.1 * characters) };
}

const LAST_ASCII_SPACE = 0x20;
const isWhiteSpace = (code: number): boolean =>
  code <= LAST_ASCII_SPACE
    ? code === LAST_ASCII_SPACE || (code >= 0x09 && code <= 0x0d)
    : code >= 0xa0 && /\s/.test(String.fromCharCode(code));

/** A text without escapes in plain ASCII, as our own client writes it: found five times as fast as it is parsed. */
const PLAIN_TEXT = /^\{"type":"text","id":"([ !#-[\]-~]*)","data":"([ !#-[\]-~]*)"\}$/;

/** Below it a frame is cheap to parse, whatever is in it. */
const CHEAP_BYTES = 1_000;

/** An id that is kept until its answer: a part of a string keeps the whole string in memory, which may have 20 kB. */
const idAlone = (id = '', text: string): string =>
  text.length > CHEAP_BYTES ? Buffer.from(id, 'latin1').toString('latin1') : id;

/** Null for what is no JSON or beyond `limits`, empty for what is no object. */
function fieldsOf(message: Message, limits: typeof LIMITS): Readonly<Record<string, unknown>> | null {
  const plain = PLAIN_TEXT.exec(message.text);
  if (plain !== null) return { type: 'text', id: idAlone(plain[1], message.text), data: plain[2] };
  if (message.text.length > CHEAP_BYTES && isTooComplex(bytesOf(message), limits)) return null;
  const value = jsonOf(message);
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

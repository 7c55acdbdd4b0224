// Counts the seconds of video and the characters of one session from the frames that pass (document 3, text, result and
// session.summary).
// - A result counts once for its `ref`, because `result.fetch` sends it again. One whose seconds are no number, negative or more
//   than a day counts with the estimate of its text. Seconds may be digits in a string.
// - Characters are those of each text that goes up, so a text that is sent again counts again. A frame with a text that cannot be
//   read here, or that two parsers read differently, counts as a text of all its bytes, but of at most SIGN_MAX_TEXT_BYTES: the
//   service may read it nevertheless. A result whose id no frame has is the answer to it.
// - A stream has no results. While it is open its time counts towards the caps; one that ends without a summary counts from its
//   session.start to its end.
// - When a client leaves before a result, the service may have made it: texts without an answer count with an estimate. They do
//   not count when we or the service ended the session and the client did not cause it, because pages then send them again.
import type { Clock } from '../clock.ts';
import { foldedName } from '../folded-name.ts';
import { isTooComplex } from '../json-complexity.ts';
import type { Spending } from '../limits/spending.ts';
import { keyOf } from './id-key.ts';
import { bytesOf, jsonOf, type Message } from './message.ts';
import { PLAIN_ID_AT } from './plain-frames.ts';
import { MAX_ID } from './session-start.ts';
import { charactersOf, secondsOfText, spacesIn } from './text-estimate.ts';

const MAX_REFS = 1_000;
export const MAX_RESULT_SECONDS = 86_400;
/** A frame of a client with more than this holds no text that the service accepts. */
const LIMITS = { depth: 64, values: 1_000 };
/** No result, summary or error of the service has more than this. 1 MB of brackets would take 200 ms to parse. */
const SERVICE_LIMITS = { depth: 64, values: 10_000 };

/** A frame of the service with none of these names changes no count. */
const COUNTED = /"(?:duration_seconds|total_video_duration_sec|error)"/;

interface SessionSpending {
  /** A session.start went to the service. */
  started(message: Message): void;
  /** Another frame is to go to the service. Returns the id of a text that has to wait, null for a frame that may go. */
  send(message: Message): string | null;
  /** A frame of the service came. */
  received(message: Message): void;
  /** `countsUnanswered` is false when the client did not cause the end. */
  ended(countsUnanswered: boolean): void;
}

export function sessionSpending(
  clock: Clock,
  spending: Pick<Spending, 'add' | 'expect' | 'mustWait' | 'streaming'>,
  maxTextBytes = Infinity,
): SessionSpending {
  /** The last 1,000 refs (keyOf), the next one at `nextRef`: a list, because each result adds one and few are looked for. */
  const refs: number[] = [];
  let nextRef = 0;
  /**
   * The ids (keyOf) of the frames without an answer, in no order, and the estimated seconds of each, which are 0 when it is no
   * text. Lists, because few frames of a session are under way, and a Map is rebuilt every few texts.
   */
  const unanswered: number[] = [];
  const expected: number[] = [];
  let counted = 0;
  /** Whether a session.start of translate mode went to the service. */
  let mayTranslate = false;
  /** Whether a frame went to the service that cannot be read here. */
  let isInDoubt = false;
  let stream: { readonly since: number; readonly stop: () => number } | null = null;

  const add = (seconds: number): void => {
    if (!(seconds > 0)) return;
    counted += seconds;
    spending.add({ seconds });
  };
  /** The time of earlier days was counted when they ended. */
  const endStream = (): void => {
    counted += stream?.stop() ?? 0;
    stream = null;
  };
  const awaitAnswer = (key: number, seconds: number): void => {
    // More than a session of the service has under way.
    if (unanswered.length >= MAX_REFS) return add(seconds);
    spending.expect(seconds, 0);
    unanswered.push(key);
    expected.push(seconds);
  };
  /**
   * Returns the seconds that were expected of the frame that is answered; null when none was waiting. Several frames may have one
   * id: `fitsBetter` chooses among them.
   */
  const answered = (key: number, fitsBetter: FitsBetter): number | null => {
    let found = unanswered.indexOf(key);
    if (found < 0) return null;
    for (let at = unanswered.indexOf(key, found + 1); at >= 0; at = unanswered.indexOf(key, at + 1)) {
      if (fitsBetter(expected[at] ?? 0, expected[found] ?? 0)) found = at;
    }
    const seconds = expected[found] ?? 0;
    const lastKey = unanswered.pop() ?? 0;
    const last = expected.pop() ?? 0;
    if (found < unanswered.length) {
      unanswered[found] = lastKey;
      expected[found] = last;
    }
    spending.expect(-seconds, 0);
    return seconds;
  };
  /** Ends the wait for all answers. Returns what was expected of each frame. */
  const forgetUnanswered = (): readonly number[] => {
    for (const seconds of expected) spending.expect(-seconds, 0);
    unanswered.length = 0;
    return expected.splice(0);
  };
  /** Returns whether the text may go. */
  const sendText = (key: number, spaces: number, characters: number): boolean => {
    const seconds =
      stream === null || mayTranslate
        ? secondsOfText(1 + Math.min(spaces, Math.ceil(characters / 2)), characters)
        : 0;
    if (spending.mustWait(seconds, characters)) return false;
    spending.add({ characters });
    if (seconds > 0) awaitAnswer(key, seconds);
    return true;
  };

  const receivedResult = (key: number, seconds: unknown): void => {
    const waited = answered(key, fitsResult);
    if (!waited && refs.includes(key)) return;
    const estimated = waited ?? answered(NO_ID, fitsResult) ?? 0;
    refs[nextRef] = key;
    nextRef = (nextRef + 1) % MAX_REFS;
    add(secondsOf(seconds, MAX_RESULT_SECONDS) ?? estimated);
  };

  return {
    started(message) {
      // The service may refuse one and take the next. After a start of each mode, and after one whose mode can be read in two
      // ways, both the texts and the time count.
      const modes = modesOf(message);
      if (modes.some((mode) => isNamed(mode, 'stream')))
        stream ??= { since: clock.now(), stop: spending.streaming() };
      if (modes.length !== 1 || modes[0] !== 'stream') mayTranslate = true;
    },
    send(message) {
      const { plainText } = message;
      if (plainText !== null) {
        const { key, idLength, characters, spaces } = plainText;
        const mayGo = sendText(key, spaces, characters);
        return mayGo ? null : shortId(message.text.slice(PLAIN_ID_AT, PLAIN_ID_AT + idLength));
      }
      const { text } = message;
      if (!OF_INTEREST.test(text)) return null;
      const fields = clientFieldsOf(message);
      if (fields === null) {
        const characters = Math.min(charactersOf(text), maxTextBytes);
        const mayGo = sendText(NO_ID, spacesIn(text), characters);
        isInDoubt ||= mayGo;
        return mayGo ? null : '';
      }
      const { type, id, data } = fields;
      if (!isNamed(type, 'text') || typeof data !== 'string') {
        if (id !== undefined) awaitAnswer(keyOf(id), 0);
        return null;
      }
      return sendText(keyOf(id), spacesIn(data), charactersOf(data)) ? null : shortId(id);
    },
    received(message) {
      const { plainResult } = message;
      if (plainResult !== null) return receivedResult(plainResult.key, plainResult.seconds);
      // All other frames are not parsed.
      if (!COUNTED.test(message.text)) return;
      const { type, ref, duration_seconds: seconds, usage } = fieldsOf(message, SERVICE_LIMITS) ?? {};
      if (type === 'session.summary') {
        const { total_video_duration_sec: sum } = (usage ?? {}) as Record<string, unknown>;
        // One of more than a day beyond what was counted does not count.
        const total = secondsOf(sum, counted + MAX_RESULT_SECONDS);
        if (total === null) return;
        endStream();
        // The summary has the billable sum.
        add(total - counted);
        forgetUnanswered();
      }
      if (type === 'error' && !isInDoubt) answered(keyOf(ref), fitsError);
      if (type === 'result') receivedResult(keyOf(ref), seconds);
    },
    ended(countsUnanswered) {
      const streamed = stream === null ? 0 : (clock.now() - stream.since) / 1000;
      endStream();
      add(streamed - counted);
      const estimates = forgetUnanswered();
      if (countsUnanswered) estimates.forEach(add);
    },
  };
}

/** Whether an answer fits a frame better than another of the same id, by the seconds that are expected of both. */
type FitsBetter = (seconds: number, other: number) => boolean;

/** An error answers the shortest, because an id that is used twice is refused (document 3, Errors). */
const fitsError: FitsBetter = (seconds, other) => seconds < other;

/**
 * A result answers one that is no text, because result.fetch may get the result of an earlier session; without such a frame it
 * answers the longest text.
 */
const fitsResult: FitsBetter = (seconds, other) =>
  seconds > 0 && other > 0 ? seconds > other : seconds < other;

/** Null for what is no number of seconds, or more than `most`. */
function secondsOf(value: unknown, most: number): number | null {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds >= 0 && seconds <= most ? seconds : null;
}

/** For an answer to the client; a frame of 64 kB must not be answered with 64 kB. */
const shortId = (id: unknown): string => (typeof id === 'string' && id.length <= MAX_ID ? id : '');

/** Of frames whose id is not known. */
const NO_ID = keyOf(undefined);

/** Below it a frame is cheap to parse, whatever is in it. */
const CHEAP_BYTES = 1_000;

/**
 * All other frames of a client are not parsed. A name may be written with escapes, even needless ones, and with spaces around
 * it.
 */
const OF_INTEREST = /data|id|\\/i;
const NAMES = ['type', 'id', 'data'];

/** The fields of a client's frame; null when it cannot be read, has a name twice, or one of NAMES in other letters. */
function clientFieldsOf(message: Message): Readonly<Record<string, unknown>> | null {
  const fields = fieldsOf(message, LIMITS);
  // The parser drops the first of two equal names, and its value.
  if (fields === null || quotesIn(message.text) !== quotesIn(JSON.stringify(fields))) return null;
  const isOdd = Object.keys(fields).some((name) => !NAMES.includes(name) && NAMES.includes(foldedName(name)));
  return isOdd ? null : fields;
}

/** The values of all names of a session.start that a parser may take for `mode`. */
const modesOf = (message: Message): readonly unknown[] =>
  Object.entries(fieldsOf(message, LIMITS) ?? {}).flatMap(([name, mode]) =>
    foldedName(name) === 'mode' ? [mode] : [],
  );

/** Whether a parser may take the value for this word. A client may write an object that cannot be made a string. */
const isNamed = (value: unknown, word: string): boolean =>
  typeof value === 'string' && foldedName(value) === word;

/** Quotes around strings. */
const quotesIn = (json: string): number => json.replace(/\\./gs, '').split('"').length;

/** Null for what is no JSON or beyond `limits`, empty for what is no object. */
function fieldsOf(message: Message, limits: typeof LIMITS): Readonly<Record<string, unknown>> | null {
  if (message.length > CHEAP_BYTES && isTooComplex(bytesOf(message), limits)) return null;
  const value = jsonOf(message);
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

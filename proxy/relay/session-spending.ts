// Counts the seconds of video and the characters of one session from the frames that pass (document 3, text, result and
// session.summary).
// - A result counts once for its `ref`, because `result.fetch` sends it again. When its seconds are no number, negative or more
//   than a day, it counts with the estimate of its text. Seconds may be digits in a string.
// - Characters are those of each text that goes up, so a text that is sent again counts again. A frame that cannot be read here,
//   or that two parsers read differently, counts as a text of all its bytes, at most SIGN_MAX_TEXT_BYTES of them, because the
//   service may read a text in it. A result whose id no frame has counts as the answer to such a frame.
// - A stream has no results. While it is open its time counts towards the caps; one that ends without a summary counts from its
//   session.start to its end.
// - When a client leaves before a result, the service may have made it: texts without an answer count with an estimate. They do
//   not count when we or the service ended the session and the client did not cause it, because pages then send them again.
import type { Clock } from '../clock.ts';
import type { Spending } from '../limits/spending.ts';
import { fieldsOfClient, fieldsOfService, isNamed, mayCount, modesOf, secondsOf } from './counted-fields.ts';
import { keyOf } from './id-key.ts';
import type { Message } from './message.ts';
import { PLAIN_ID_AT } from './plain-frames.ts';
import { MAX_ID } from './session-start.ts';
import { charactersOf, secondsOfText, spacesIn } from './text-estimate.ts';
import { fitsError, fitsResult, Unanswered } from './unanswered.ts';

const MAX_REFS = 1_000;
export const MAX_RESULT_SECONDS = 86_400;

export class SessionSpending {
  readonly #clock: Clock;
  readonly #spending: Pick<Spending, 'add' | 'expect' | 'mustWait' | 'streaming'>;
  readonly #maxTextBytes: number;
  /** The last 1,000 refs (keyOf), the next one at `#nextRef`: a list, because each result adds one and few are looked for. */
  readonly #refs: number[] = [];
  #nextRef = 0;
  readonly #unanswered: Unanswered;
  #counted = 0;
  /** Whether a session.start of translate mode went to the service. */
  #mayTranslate = false;
  /** Whether a frame that cannot be read here went to the service. */
  #isInDoubt = false;
  #stream: { readonly since: number; readonly stop: () => number } | null = null;

  constructor(
    clock: Clock,
    spending: Pick<Spending, 'add' | 'expect' | 'mustWait' | 'streaming'>,
    maxTextBytes = Infinity,
  ) {
    this.#clock = clock;
    this.#spending = spending;
    this.#maxTextBytes = maxTextBytes;
    this.#unanswered = new Unanswered(spending);
  }

  /** A session.start went to the service. */
  started(message: Message): void {
    // The service may refuse one and take the next. After a start of each mode, and after one whose mode can be read in two
    // ways, both the texts and the time count.
    const modes = modesOf(message);
    if (modes.some((mode) => isNamed(mode, 'stream')))
      this.#stream ??= { since: this.#clock.now(), stop: this.#spending.streaming() };
    if (modes.length !== 1 || modes[0] !== 'stream') this.#mayTranslate = true;
  }

  get isStreaming(): boolean {
    return this.#stream !== null;
  }

  /** Another frame is to go to the service. Returns the id of a text that has to wait, null for a frame that may go. */
  send(message: Message): string | null {
    const { plainText } = message;
    if (plainText === null) return mayCount(message) ? this.#sendParsed(message) : null;
    const { key, idLength, characters, spaces } = plainText;
    if (this.#sendText(key, spaces, characters)) return null;
    return shortId(message.text.slice(PLAIN_ID_AT, PLAIN_ID_AT + idLength));
  }

  /** A frame of the service came. */
  received(message: Message): void {
    const { plainResult } = message;
    if (plainResult !== null) return this.#receivedResult(plainResult.key, plainResult.seconds);
    const { type, ref, duration_seconds: seconds, usage } = fieldsOfService(message);
    if (type === 'session.summary') this.#receivedSummary(usage);
    // An error without a ref is about no text (document 3, Errors), also where a client has sent a text without an id.
    if (type === 'error' && Boolean(ref) && !this.#isInDoubt)
      this.#unanswered.answered(keyOf(ref), fitsError);
    if (type === 'result') this.#receivedResult(keyOf(ref), seconds);
  }

  /** `countsUnanswered` is false when the client did not cause the end. */
  ended(countsUnanswered: boolean): void {
    const streamed = this.#stream === null ? 0 : (this.#clock.now() - this.#stream.since) / 1000;
    this.#endStream();
    this.#add(streamed - this.#counted);
    const estimates = this.#unanswered.forget();
    if (countsUnanswered) for (const seconds of estimates) this.#add(seconds);
  }

  #sendParsed(message: Message): string | null {
    const fields = fieldsOfClient(message);
    if (fields === null) {
      const { text } = message;
      const mayGo = this.#sendText(NO_ID, spacesIn(text), Math.min(charactersOf(text), this.#maxTextBytes));
      this.#isInDoubt ||= mayGo;
      return mayGo ? null : '';
    }
    const { type, id, data } = fields;
    if (isNamed(type, 'text') && typeof data === 'string')
      return this.#sendText(keyOf(id), spacesIn(data), charactersOf(data)) ? null : shortId(id);
    if (id !== undefined) this.#awaitAnswer(keyOf(id), 0);
    return null;
  }

  /** Returns whether the text may go. */
  #sendText(key: number, spaces: number, characters: number): boolean {
    const seconds =
      this.#stream === null || this.#mayTranslate
        ? secondsOfText(1 + Math.min(spaces, Math.ceil(characters / 2)), characters)
        : 0;
    if (this.#spending.mustWait(seconds, characters)) return false;
    this.#spending.add({ characters });
    if (seconds > 0) this.#awaitAnswer(key, seconds);
    return true;
  }

  #awaitAnswer(key: number, seconds: number): void {
    // More than a session of the service has under way.
    if (this.#unanswered.length >= MAX_REFS) this.#add(seconds);
    else this.#unanswered.add(key, seconds);
  }

  #receivedResult(key: number, seconds: unknown): void {
    const waited = this.#unanswered.answered(key, fitsResult);
    if (!waited && this.#refs.includes(key)) return;
    const estimated = waited ?? this.#unanswered.answered(NO_ID, fitsResult) ?? 0;
    this.#refs[this.#nextRef] = key;
    this.#nextRef = (this.#nextRef + 1) % MAX_REFS;
    this.#add(secondsOf(seconds, MAX_RESULT_SECONDS) ?? estimated);
  }

  #receivedSummary(usage: unknown): void {
    const { total_video_duration_sec: sum } = (usage ?? {}) as Record<string, unknown>;
    // A sum of more than a day beyond what was counted is ignored.
    const total = secondsOf(sum, this.#counted + MAX_RESULT_SECONDS);
    if (total === null) return;
    this.#endStream();
    // The summary has the billable sum.
    this.#add(total - this.#counted);
    this.#unanswered.forget();
  }

  /** The time of earlier days was counted when they ended. */
  #endStream(): void {
    this.#counted += this.#stream?.stop() ?? 0;
    this.#stream = null;
  }

  #add(seconds: number): void {
    if (!(seconds > 0)) return;
    this.#counted += seconds;
    this.#spending.add({ seconds });
  }
}

/** The id for an answer to the client; empty when it is long, because a frame of 64 kB must not be answered with 64 kB. */
const shortId = (id: unknown): string => (typeof id === 'string' && id.length <= MAX_ID ? id : '');

/** The key of frames whose id is not known. */
const NO_ID = keyOf(undefined);

// The two modes of a V3 session (document 3): a clip for each text, or one stream that all texts are appended to.
// - Translate: an accepted text is rendered even when the session ends first, so that result.fetch finds its result.
// - Stream: nothing follows a text.ack but progress. A text is in flight until its first frame is painted, so that at most
//   `max_inflight` texts wait. Its seconds are counted when it is appended. The seconds of the signer at rest are not counted.
// - Stream: after session.end the accepted texts are signed, and then the stream ends. A session that is closed in another way
//   ends its stream at once. A stream that breaks ends the session with `gloss_unavailable`, the error that says "retry the
//   session".
import type { ResultFetchFrame } from './client-frames.ts';
import { ofText } from '../faults.ts';
import type { StoredMedia } from '../media/clip-store.ts';
import { EncodeError } from '../media/media-spec.ts';
import type { LiveStream } from '../streams/stream-service.ts';
import { errorFrame, progressFrame, type ResultFrame } from './frames.ts';
import type { V3Service, V3Deps } from './service.ts';
import { type AppliedConfig, clipOf, streamOf } from './session-config.ts';
import { type AcceptedText, type SendFrame, V3Session } from './session.ts';

export class TranslateSession extends V3Session {
  readonly readyFields = {};
  readonly #service: V3Service;
  readonly #config: AppliedConfig;
  readonly #debug: boolean;

  constructor(service: V3Service, config: AppliedConfig, debug: boolean, out: SendFrame) {
    super(service.deps, out);
    this.#service = service;
    this.#config = config;
    this.#debug = debug;
  }

  fetch({ id }: ResultFetchFrame): void {
    const result = this.#service.fetch(id);
    this.out(result ? { ...result } : errorFrame('result_expired', id, 'no result is kept for this id'));
  }

  end(): void {}

  closed(): void {}

  protected accept(text: AcceptedText): void {
    void this.#answer(text);
  }

  async #answer({ id, data, ordinal, silent }: AcceptedText): Promise<void> {
    const { clock, faults, clips } = this.deps;
    const started = performance.now();
    let clip: StoredMedia;
    try {
      clip = await clips.mediaOf(
        clipOf(data, this.#config, faults.take('encoding', ofText(ordinal))),
        (stage, durationMs) => {
          if (this.#debug) this.out(progressFrame(id, stage, durationMs));
        },
      );
    } catch (error) {
      if (error instanceof EncodeError) {
        return this.fail(id, { code: 'encode_failed', message: error.message });
      }
      console.error(error);
      return this.fail(id, { code: 'internal_error', message: 'the sandbox failed' });
    }
    const deliver = (): void => {
      const result = this.#service.resultOf(id, clip, started);
      if (!silent) this.#deliver(result, ordinal);
    };
    const late = faults.take('latency', ofText(ordinal));
    if (late) clock.after(late.ms, deliver);
    else deliver();
  }

  #deliver(result: ResultFrame, ordinal: number): void {
    const { faults } = this.deps;
    this.leaveFlight();
    this.count(result.duration_seconds);
    if (faults.take('unknown_frame', ofText(ordinal))) this.out({ type: 'sandbox.unknown', ref: result.ref });
    const broken = faults.take('malformed_frame', ofText(ordinal));
    if (!broken) this.out({ ...result });
    else if (broken.shape === 'wrong_fields') this.out({ ...result, url: 7, duration_seconds: 'long' });
    else this.out(JSON.stringify(result).slice(0, -9));
  }
}

export class StreamSession extends V3Session {
  readonly #debug: boolean;
  readonly #stream: LiveStream;
  #isOver = false;

  /** @throws StreamsFull */
  constructor(deps: V3Deps, config: AppliedConfig, debug: boolean, out: SendFrame) {
    super(deps, out);
    this.#debug = debug;
    this.#stream = deps.streams.open(streamOf(config));
    void this.#stream.ended.then(() => {
      if (!this.#isOver) this.out(errorFrame('gloss_unavailable', '', 'the stream broke off'));
    });
  }

  get readyFields(): Readonly<Record<string, unknown>> {
    const names = this.deps.names();
    return {
      [names.stream_manifest_url]: this.#stream.hlsUrl,
      [names.stream_cookies]: this.#stream.cookies,
    };
  }

  fetch({ id }: ResultFetchFrame): void {
    this.out(errorFrame('mode_not_allowed', id, 'result.fetch is for translate mode'));
  }

  end(): void {
    this.#isOver = true;
    this.#stream.end();
  }

  closed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stream.stop();
  }

  protected accept({ id, data, ordinal, silent }: AcceptedText): void {
    if (silent) return;
    const append = (): void => {
      if (this.#isOver) return;
      const started = performance.now();
      this.count(this.#stream.sign(data, null, () => this.leaveFlight()));
      if (this.#debug) this.out(progressFrame(id, 'text_to_gloss', performance.now() - started));
    };
    const late = this.deps.faults.take('latency', ofText(ordinal));
    if (late) this.deps.clock.after(late.ms, append);
    else append();
  }
}

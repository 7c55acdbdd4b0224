// A V3 session in stream mode (document 3): session.ready names an ongoing LL-HLS stream, and each text appends its signs.
// Policy: nothing follows a text.ack but progress. A text is in flight until its first frame is painted, so that at most
// `max_inflight` wait behind what is being signed; its seconds are billed as it is accepted, the signer at rest is not. After
// session.end what was accepted is signed and the stream ends; a session that is closed otherwise ends its stream at once.
// A stream that breaks ends the session with `gloss_unavailable`, the one error that says "retry the session".
import type { ResultFetchFrame } from '../../../src/protocol/client-frames.ts';
import { ofText } from '../faults.ts';
import type { LiveStream } from '../streams/stream-service.ts';
import { errorFrame, progressFrame } from './frames.ts';
import type { V3Surroundings } from './service.ts';
import { streamOf, type AppliedConfig } from './session-config.ts';
import { V3Session, type AcceptedText, type SendFrame } from './session.ts';

export class StreamSession extends V3Session {
  readonly #debug: boolean;
  readonly #stream: LiveStream;
  #isOver = false;

  /** @throws StreamsFull */
  constructor(around: V3Surroundings, config: AppliedConfig, debug: boolean, out: SendFrame) {
    super(around, out);
    this.#debug = debug;
    this.#stream = around.streams.open(streamOf(config));
    void this.#stream.ended.then(() => {
      if (!this.#isOver) this.out(errorFrame('gloss_unavailable', '', 'the stream broke off'));
    });
  }

  get readyFields(): Readonly<Record<string, unknown>> {
    const names = this.around.names();
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
      this.count(this.#stream.sign(data, null, () => this.land()));
      if (this.#debug) this.out(progressFrame(id, 'text_to_gloss', performance.now() - started));
    };
    const late = this.around.faults.take('latency', ofText(ordinal));
    if (late) this.around.clock.after(late.ms, append);
    else append();
  }
}

// A V3 session in translate mode (document 3): each text becomes a clip, and its URL the result.
// Policy: an accepted text is rendered to its end even when the session goes before it, so that result.fetch finds it.
import type { ResultFetchFrame } from '../../../src/protocol/client-frames.ts';
import type { StoredMedia } from '../media/clip-store.ts';
import { EncodeError } from '../media/media-spec.ts';
import { ofText } from '../faults.ts';
import { errorFrame, progressFrame, type ResultFrame } from './frames.ts';
import type { V3Service } from './service.ts';
import { clipOf, type AppliedConfig } from './session-config.ts';
import { V3Session, type AcceptedText, type SendFrame } from './session.ts';

export class TranslateSession extends V3Session {
  readonly readyFields = {};
  readonly #service: V3Service;
  readonly #config: AppliedConfig;
  readonly #debug: boolean;

  constructor(service: V3Service, config: AppliedConfig, debug: boolean, out: SendFrame) {
    super(service.around, out);
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
    const { clock, faults, clips } = this.around;
    const started = performance.now();
    let clip: StoredMedia;
    try {
      clip = await clips.mediaOf(clipOf(data, this.#config), (stage, durationMs) => {
        if (this.#debug) this.out(progressFrame(id, stage, durationMs));
      });
    } catch (error) {
      if (error instanceof EncodeError) {
        return this.fail(id, { code: 'encode_failed', message: error.message });
      }
      console.error(error);
      return this.fail(id, { code: 'internal_error', message: 'the sandbox failed' });
    }
    const deliver = (): void => {
      const result = this.#service.issue(id, clip, started);
      if (!silent) this.#deliver(result, ordinal);
    };
    const late = faults.take('latency', ofText(ordinal));
    if (late) clock.after(late.ms, deliver);
    else deliver();
  }

  #deliver(result: ResultFrame, ordinal: number): void {
    const { faults } = this.around;
    this.land();
    this.count(result.duration_seconds);
    if (faults.take('unknown_frame', ofText(ordinal))) this.out({ type: 'sandbox.unknown', ref: result.ref });
    const broken = faults.take('malformed_frame', ofText(ordinal));
    if (!broken) this.out({ ...result });
    else if (broken.shape === 'wrong_fields') this.out({ ...result, url: 7, duration_seconds: 'long' });
    else this.out(JSON.stringify(result).slice(0, -9));
  }
}

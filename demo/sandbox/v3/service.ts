// What all V3 sessions of an account share, and the results that they can fetch.
// - A result is kept for result.fetch also after the end of its session, because a client fetches it after a lost socket.
import type { StoredMedia } from '../media/clip-store.ts';
import type { MediaSpec, OnStage } from '../media/media-spec.ts';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import type { FieldNames, SandboxLimits } from '../settings.ts';
import type { StreamService } from '../streams/stream-service.ts';
import { ResultCache } from '../result-cache.ts';
import type { ResultFrame } from './frames.ts';

export interface V3Deps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  /** The limits now in force. */
  readonly limits: () => SandboxLimits;
  /** The current names of fields that no document shows. */
  readonly names: () => FieldNames;
  readonly newSessionId: () => string;
  readonly clips: {
    mediaOf(spec: MediaSpec, onStage: OnStage): Promise<StoredMedia>;
    named(name: string): StoredMedia | null;
  };
  readonly streams: Pick<StreamService, 'open'>;
  /** The address of a path of the media origin, valid until `expires` (milliseconds since 1970). */
  readonly urlOf: (path: string, expires: number) => string;
}

interface Answered {
  readonly frame: ResultFrame;
  readonly clipName: string;
}

export class V3Service {
  readonly deps: V3Deps;
  readonly #results = new ResultCache<Answered>();

  constructor(deps: V3Deps) {
    this.deps = deps;
  }

  /**
   * Makes the result of a finished clip: from now on its URL is valid and the result can be fetched.
   * @param started `performance.now()` when its text was accepted
   */
  resultOf(ref: string, clip: StoredMedia, started: number): ResultFrame {
    const { clock, limits, urlOf } = this.deps;
    const expires = clock.now() + limits().url_lifetime_seconds * 1000;
    const { text_to_gloss, gloss_translation, stream_generator } = clip.stages;
    const frame: ResultFrame = {
      type: 'result',
      ref,
      url: urlOf(clip.files[0]!.path, expires),
      url_expires_at: new Date(expires).toISOString(),
      duration_seconds: clip.durationSeconds,
      pipeline_ms: {
        gloss: Math.round(text_to_gloss),
        render: Math.round(gloss_translation),
        encode: Math.round(stream_generator),
        total: Math.round(performance.now() - started),
      },
    };
    this.#results.put(ref, { frame, clipName: clip.name }, expires);
    return frame;
  }

  /** The result of this id as it was sent; null when it has expired or its clip was removed. */
  fetch(id: string): ResultFrame | null {
    const { clock, clips } = this.deps;
    const answered = this.#results.get(id, clock.now());
    return answered && clips.named(answered.clipName) ? answered.frame : null;
  }
}

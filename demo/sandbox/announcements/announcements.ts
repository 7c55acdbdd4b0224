// The accepted announcement requests and their videos (document 1, States and transitions).
// - IN_PROGRESS while the video is rendered, then COMPLETED, or FAILED when it cannot be rendered or a fault demands it.
// - A video shows the BSL signer RAE at 720p: MP4 with H.264, or, when the background is transparent, WebM with VP9 and alpha
//   and without the panel of words (the document shows only that it is `.webm`).
// - The newest 10,000 requests are kept, for 24 hours.
// - Two videos are rendered at a time, in the order of their requests, so that the encoder has time for other work. 1,000 requests
//   may wait; one more is FAILED.
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import { EncodeError, frameSizes, type MediaSpec } from '../media/media-spec.ts';
import { ownBackplate } from '../painter/render-style.ts';
import { uuidOf } from '../ids.ts';
import type { Announcement } from './announcement-request.ts';
import { spokenOf } from './spoken.ts';

function videoOf(said: Announcement): MediaSpec {
  const backdrop = said.bgColour ?? null;
  const isTransparent = backdrop === 'transparent';
  return {
    text: spokenOf(said),
    seconds: null,
    style: { ...ownBackplate('RAE', frameSizes['720p']), backdrop, wordPanel: !isTransparent },
    codec: isTransparent ? 'vp9' : 'h264',
    container: isTransparent ? 'webm' : 'mp4',
    bitsPerSecond: null,
    segmentSeconds: null,
  };
}

const MOST_KEPT = 10_000;
const KEPT_MS = 24 * 3600 * 1000;
const MOST_AT_A_TIME = 2;
const MOST_WAITING = 1000;

/** What an announcement needs of a finished video. */
export interface AnnouncementMedia {
  /** One file; its path on the media origin, unsigned. */
  readonly files: readonly { readonly path: string }[];
  /** MIME type. */
  readonly type: string;
  readonly durationSeconds: number;
}

/** The data kept about a finished video: its place in the store, not its bytes. */
interface Video {
  readonly path: string;
  readonly type: string;
  readonly durationSeconds: number;
}

type Outcome =
  | { readonly status: 'IN_PROGRESS' }
  | { readonly status: 'COMPLETED'; readonly video: Video }
  | { readonly status: 'FAILED'; readonly errorLog: string };

export interface AcceptedAnnouncement {
  readonly id: string;
  /** The request as it came. */
  readonly request: unknown;
  /** The sentences that are signed. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  outcome: Outcome;
}

interface AnnouncementsDeps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  /** Makes a new string of 32 hex digits at each call. */
  readonly newHex: () => string;
  /** Makes a video. Rejects with an EncodeError, whose message is shown, when it cannot. */
  readonly mediaOf: (spec: MediaSpec) => Promise<AnnouncementMedia>;
}

export class Announcements {
  readonly #deps: AnnouncementsDeps;
  /** By id, the oldest first. */
  readonly #kept = new Map<string, AcceptedAnnouncement>();
  readonly #waiting: { readonly accepted: AcceptedAnnouncement; readonly spec: MediaSpec }[] = [];
  #rendering = 0;

  constructor(deps: AnnouncementsDeps) {
    this.#deps = deps;
  }

  /** Accepts an announcement and begins to make its video. Returns its id. */
  submit(said: Announcement, request: unknown): string {
    const { clock, faults, newHex } = this.#deps;
    const spec = videoOf(said);
    const accepted: AcceptedAnnouncement = {
      id: uuidOf(newHex()),
      request,
      text: spec.text ?? '',
      createdAt: clock.now(),
      outcome: { status: 'IN_PROGRESS' },
    };
    this.#forget();
    this.#kept.set(accepted.id, accepted);
    const failure = faults.take('announcement_fails');
    if (failure) accepted.outcome = failed(failure.error_log ?? 'asked for by a fault');
    else if (this.#waiting.length >= MOST_WAITING) accepted.outcome = failed('too many announcements wait');
    else this.#waiting.push({ accepted, spec });
    this.#next();
    return accepted.id;
  }

  /** The announcement with this id; null when it is unknown or expired. */
  find(id: string): AcceptedAnnouncement | null {
    const found = this.#kept.get(id);
    return found && found.createdAt + KEPT_MS > this.#deps.clock.now() ? found : null;
  }

  #next(): void {
    if (this.#rendering >= MOST_AT_A_TIME) return;
    const first = this.#waiting.shift();
    if (!first) return;
    this.#rendering += 1;
    void this.#outcomeOf(first.spec).then((outcome) => {
      first.accepted.outcome = outcome;
      this.#rendering -= 1;
      this.#next();
    });
  }

  async #outcomeOf(spec: MediaSpec): Promise<Outcome> {
    try {
      const { files, type, durationSeconds } = await this.#deps.mediaOf(spec);
      return { status: 'COMPLETED', video: { path: files[0]!.path, type, durationSeconds } };
    } catch (error) {
      if (error instanceof EncodeError) return failed(error.message);
      console.error(error);
      return failed('the sandbox failed');
    }
  }

  /** Removes expired requests, and the oldest one when the limit is reached. */
  #forget(): void {
    const now = this.#deps.clock.now();
    for (const [id, { createdAt }] of this.#kept) {
      if (this.#kept.size < MOST_KEPT && createdAt + KEPT_MS > now) return;
      this.#kept.delete(id);
    }
  }
}

const failed = (errorLog: string): Outcome => ({ status: 'FAILED', errorLog });

// Creates, finds, lists and stops the live sessions of the sandbox.
// - At most `live_sessions` exist at one time. Sessions that are being created count, and those whose processes still run.
// - At most `live_normalizations` sessions encode a pulled source anew.
// - Ended sessions are kept for an hour, at most the 100 that ended last, so that a client can ask why one ended.
// - The newest session is the first in the list.
// - A `live_error` fault applies only to requests that could get that code from the service.
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import { uuidOf } from '../ids.ts';
import type { SandboxLimits } from '../settings.ts';
import { LiveError, type LiveErrorCode } from './live-error.ts';
import { liveSpecOf, type LiveRequest } from './live-request.ts';
import { LiveSession } from './live-session.ts';
import type { LiveMedia } from './media/live-media.ts';
import { mustNormalise } from './source/source-probe.ts';

const pulls = ({ sourceType }: LiveRequest): boolean => sourceType === 'HLS_PULL';
const always = (): boolean => true;

const concerns: Readonly<Record<LiveErrorCode, (request: LiveRequest) => boolean>> = {
  BAD_REQUEST: always,
  NOT_FOUND: always,
  HLS_INPUT_UNREACHABLE: pulls,
  HLS_INPUT_MALFORMED: pulls,
  HLS_INPUT_INCOMPATIBLE: pulls,
  HLS_INPUT_NORMALIZE_CAPACITY: pulls,
  PICTURE_IN_PICTURE_UNSUPPORTED_FOR_SOURCE: ({ pictureInPicture }) => pictureInPicture,
  MEDIA_LIVE_NOT_CONFIGURED: always,
  SRT_RELAY_NOT_CONFIGURED: ({ sourceType }) => sourceType === 'SRT_PUSH',
  RTMP_ENDPOINT_UNREACHABLE: ({ sourceType }) => sourceType === 'RTMP_PUSH',
};

/** The error that a fault in force demands for this request; null when there is none. */
function faultFor(faults: FaultsInForce, request: LiveRequest): LiveError | null {
  const fault = faults.take('live_error', ({ code }) => concerns[code](request));
  return fault && new LiveError(fault.code, 'asked for by a fault');
}

const KEPT_MS = 3600 * 1000;
const MOST_ENDED = 100;

export interface LiveSessionsDeps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  /** The limits now in force. */
  readonly limits: () => SandboxLimits;
  /** Makes a new string of 32 hex digits at each call. */
  readonly newHex: () => string;
  readonly media: LiveMedia;
}

interface Page {
  readonly sessions: readonly LiveSession[];
  /** True when there are older sessions. */
  readonly more: boolean;
}

export class LiveSessions {
  readonly #deps: LiveSessionsDeps;
  /** By id, the oldest first. */
  readonly #kept = new Map<string, LiveSession>();
  /** Sessions whose media are not closed yet. */
  readonly #held = new Set<LiveSession>();
  #created = 0;
  #creating = 0;
  readonly #closing = new AbortController();

  constructor(deps: LiveSessionsDeps) {
    this.#deps = deps;
  }

  /** Makes a session, when its source can be used. @throws LiveError */
  async create(request: LiveRequest): Promise<LiveSession> {
    const { clock, faults, limits } = this.#deps;
    this.#forget();
    const failure = faultFor(faults, request);
    if (failure) throw failure;
    if (this.#held.size + this.#creating >= limits().live_sessions) {
      throw new LiveError('SESSION_CAPACITY', `more than ${limits().live_sessions} sessions at a time`);
    }
    const normalise = await this.#probed(() => mustNormalise(request, clock, this.#closing.signal));
    if (normalise) this.#admitNormalising();
    if (this.#closing.signal.aborted) throw new LiveError('INTERNAL_ERROR', 'the sandbox is closing');
    return this.#begin(request, normalise);
  }

  /** Counts a session towards the limit while its source is probed, before the session exists. */
  async #probed(probe: () => Promise<boolean>): Promise<boolean> {
    this.#creating += 1;
    try {
      return await probe();
    } finally {
      this.#creating -= 1;
    }
  }

  /** Ends all probing, and begins no more sessions. */
  close(): void {
    this.#closing.abort();
  }

  /** The session with this id; null when it does not exist or is no longer kept. */
  find(id: string): LiveSession | null {
    this.#forget();
    return this.#kept.get(id) ?? null;
  }

  /** At most `live_page_size` provisioned sessions with a lower number, the newest first. */
  page(before: number): Page {
    this.#forget();
    const size = this.#deps.limits().live_page_size;
    const older = [...this.#kept.values()]
      .filter(({ number, state }) => number < before && state !== 'INITIALIZING')
      .reverse();
    return { sessions: older.slice(0, size), more: older.length > size };
  }

  async #begin(request: LiveRequest, normalise: boolean): Promise<LiveSession> {
    const { clock, newHex, media, faults } = this.#deps;
    const spec = liveSpecOf(uuidOf(newHex()), request, newHex(), normalise);
    const session = new LiveSession({
      clock,
      number: (this.#created += 1),
      request,
      spec,
      run: media.start(spec),
      failure: () => {
        const fault = faults.take('live_session_fails');
        return fault && (fault.error ?? 'asked for by a fault');
      },
    });
    // The session is kept from the beginning, so that it is counted and can be stopped while it is being provisioned.
    this.#kept.set(spec.id, session);
    this.#held.add(session);
    void session.freed.then(() => this.#held.delete(session));
    try {
      await session.provisioned();
    } catch (error) {
      this.#kept.delete(spec.id);
      console.error(error);
      if (spec.source.kind !== 'rtmp')
        throw new LiveError('INTERNAL_ERROR', 'the media could not be provisioned');
      throw new LiveError('RTMP_ENDPOINT_UNREACHABLE', 'the RTMP ingest cannot be reached');
    }
    return session;
  }

  /** @throws LiveError 503 at the limit of sources that are encoded anew */
  #admitNormalising(): void {
    const busy = [...this.#held].filter(({ spec: { source } }) => source.kind === 'hls' && source.normalise);
    const most = this.#deps.limits().live_normalizations;
    if (busy.length < most) return;
    throw new LiveError(
      'HLS_INPUT_NORMALIZE_CAPACITY',
      `${most} sources are being encoded anew, no more can be`,
    );
  }

  #forget(): void {
    const ended = [...this.#kept.values()]
      .filter(({ endedAt }) => endedAt !== null)
      .sort((a, b) => a.endedAt! - b.endedAt!);
    const oldest = this.#deps.clock.now() - KEPT_MS;
    ended.forEach(({ id, endedAt }, at) => {
      if (endedAt! <= oldest || ended.length - at > MOST_ENDED) this.#kept.delete(id);
    });
  }
}

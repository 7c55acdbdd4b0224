// The controller of `<sign-announcement>`, loaded with its first announcement: requests the video, fetches and plays it.
// - One announcement at a time, the newest. What is on screen stays until the video of the next one is loaded.
// - The same announcement again is played from its bytes; an expired address is renewed.
// - When the fields are removed, a pending announcement is dropped. After the visitor has left the page there is no request.
// - Fields that are set are announced again after 30 s and on `online` when the service got nothing, or when the video did not
//   load (that video is not requested a second time): a board in a station has nobody who would try again.
import { untilOnlineOr } from '../internal/until-online.ts';
import { ClipBytes } from '../playback/clips/clip-bytes.ts';
import type { Clip } from '../playback/clips/playlist.ts';
import { PlaylistPlayer } from '../playback/clips/playlist-player.ts';
import type { SignStats } from '../playback/counts.ts';
import type { AnnouncementFields } from '../protocol/announcement-fields.ts';
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import { abortError, deferred } from '../session/async.ts';
import type { Announcement } from '../session/rest/rest-client.ts';
import {
  requestFor,
  requestPool,
  type AnnouncementOptions,
  type AnnouncementRequest,
  type AnnouncementWaiting,
} from './announcement-request-pool.ts';
import type { Controller, ControllerEvents } from './controller.ts';
import { resolveProxy } from './attributes.ts';
import { errorMessage } from '../strings/errors.ts';

const AGAIN_MS = 30_000;
let pageLeft = false;
window.addEventListener('pagehide', () => (pageLeft = true));
window.addEventListener('pageshow', () => (pageLeft = false));

interface RequestedAnnouncement {
  readonly key: string;
  readonly request: AnnouncementRequest;
  readonly stop: AbortController;
  ref: string;
  /** When it was requested, in milliseconds of `performance.now()`; 0 once it has been shown. */
  asked: number;
  clip: Clip | null;
  /** No script may read its video: when that does not play, its host may be away. */
  isUnread: boolean;
  /** Settles at its last frame; a new one when the same announcement is played again. */
  outcome: ReturnType<typeof deferred<Announcement>>;
  over: boolean;
}

export class AnnouncementController implements Controller {
  readonly errorMessage = errorMessage;
  readonly player = new PlaylistPlayer();
  readonly #events: ControllerEvents;
  readonly #options: () => AnnouncementOptions | null;
  /** The fields that were announced because they were set. */
  #announced = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #requested: RequestedAnnouncement | null = null;
  /** The announcement on screen. */
  #shown: RequestedAnnouncement | null = null;
  /** For an announcement whose video did not load: keeps its request alive for the next announcement, which may be equal. */
  #unloaded: AbortController | null = null;
  /** Settles when the bodies of all requests so far are built. */
  #ordering: Promise<unknown> = Promise.resolve();
  /** Aborted by `reset()`, and when the fields are removed. */
  #life = new AbortController();

  /** @param options what the page asks for now; null while the element is on no page */
  constructor(events: ControllerEvents, options: () => AnnouncementOptions | null) {
    this.#events = events;
    this.#options = options;
  }

  get paintsBackground(): boolean {
    return (this.#shown ?? this.#requested)?.request.paintsBackground ?? false;
  }

  get stats(): SignStats {
    return { ...this.player.counts };
  }

  get preparing(): boolean {
    return this.#requested !== null && this.#requested !== this.#shown;
  }

  get replayable(): boolean {
    return this.#shown !== null;
  }

  /** Reads the fields after the current task of the page; unchanged fields are not announced again. */
  update(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const options = this.#options();
      const set = keyOf(options);
      if (!options || pageLeft || set === this.#announced) return;
      this.#announced = set;
      if (set) this.#take(options).catch((error: unknown) => this.#takeAgain(error, set));
      else this.#giveUp();
    });
  }

  #takeAgain(error: unknown, set: string): void {
    if (!(this.#unloaded || (error instanceof SignError && error.retryable))) return;
    const again = (): void => {
      if (set !== this.#announced || this.#requested) return;
      this.#announced = '';
      this.update();
    };
    untilOnlineOr(AGAIN_MS, this.#life.signal).then(again, () => {});
  }

  /**
   * Announces these fields, or those that are set. Resolves at the last frame. Rejects with a SignError, or an AbortError
   * when another one or `reset()` replaces it, or when the element is on no page.
   */
  async announce(fields?: AnnouncementFields): Promise<Announcement> {
    const options = this.#options();
    if (!options) throw abortError('the element is on no page');
    // Fields that were set before this call are not announced after it.
    this.#announced = keyOf(options);
    return this.#take(fields ? { ...options, fields } : options);
  }

  async #take({ proxy, fields, background }: AnnouncementOptions): Promise<Announcement> {
    const life = this.#life.signal;
    let request: AnnouncementRequest;
    let prefix: string;
    try {
      prefix = resolveProxy(proxy);
      // Sent in call order, even if one takes longer to build.
      const ordered = this.#ordering.then(() => requestFor(fields, background));
      this.#ordering = ordered.catch(() => {});
      request = await ordered;
    } catch (error) {
      life.throwIfAborted();
      this.#end();
      this.#fail(null, error);
      throw error;
    }
    life.throwIfAborted();
    const key = JSON.stringify([prefix, request.body]);
    if (this.#requested?.key === key) return this.#again(this.#requested);
    const requested: RequestedAnnouncement = {
      key,
      request,
      stop: new AbortController(),
      ref: '',
      asked: performance.now(),
      clip: null,
      isUnread: false,
      outcome: deferred(),
      over: false,
    };
    this.#end();
    this.#requested = requested;
    this.#events.state('connecting');
    this.player.moreExpected = true;
    void this.#make(requested, prefix);
    this.#keep(null);
    return requested.outcome.promise;
  }

  /** An ended announcement starts again, as a `<video>` does. */
  async play(): Promise<void> {
    if (this.player.ended && this.replayable) this.replay();
    else await this.player.play();
  }

  pause(): void {
    this.player.pause();
  }

  replay(): void {
    if (this.#shown?.clip) this.player.playFrom([this.#shown.clip]);
  }

  /** Ends everything; it can be used again. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#announced = '';
    this.#shown = null;
    this.player.reset();
    this.#giveUp();
    this.#events.state('idle');
  }

  /** Drops the announcements that are not on screen yet. */
  #giveUp(): void {
    this.#life.abort(replaced());
    this.#life = new AbortController();
    this.#keep(null);
    if (!this.preparing) return;
    this.#end();
    this.player.moreExpected = false;
    this.#events.state(this.#shown ? 'ended' : 'idle');
  }

  /** Aborts pending requests; the announcement on screen stays. */
  #end(): void {
    const requested = this.#requested;
    this.#requested = null;
    requested?.outcome.reject(replaced());
    requested?.stop.abort(replaced());
  }

  #keep(unloaded: AbortController | null): void {
    this.#unloaded?.abort(replaced());
    this.#unloaded = unloaded;
  }

  #again(requested: RequestedAnnouncement): Promise<Announcement> {
    if (requested.over) {
      requested.outcome = deferred();
      requested.over = false;
      this.replay();
    }
    return requested.outcome.promise;
  }

  async #make(requested: RequestedAnnouncement, proxy: string): Promise<void> {
    const { emit } = this.#events;
    const { signal } = requested.stop;
    const { body } = requested.request;
    const waiting: AnnouncementWaiting = {
      signal,
      accepted: (ref) => {
        requested.ref = ref;
        emit('sign-accepted', { ref, text: '' });
      },
      retrying: (error) => emit('sign-error', { error, ...refOf(requested) }),
    };
    try {
      const { requestId, url } = await requestPool.ask(proxy, body, waiting);
      const unknown = { expiresAt: null, durationSeconds: null, pipelineMs: null };
      emit('sign-result', { ref: requestId, text: '', url, ...unknown });
      const renew = (ending: AbortSignal): Promise<string> =>
        requestPool.renew(proxy, body, requested.ref, { ...waiting, signal: ending });
      const bytes = new ClipBytes({ url, renew });
      signal.addEventListener('abort', () => this.#shown !== requested && bytes.release());
      requested.clip = this.#clipOf(requested, bytes);
      requested.isUnread = typeof (await bytes.load()) === 'string';
      if (signal.aborted) return;
      const before = this.#shown?.clip;
      this.#shown = requested;
      this.player.append(requested.clip);
      if (before) this.player.remove(before);
      this.player.moreExpected = false;
    } catch (error) {
      if (!signal.aborted) this.#fail(requested, error, requested.clip && requested.stop);
    }
  }

  #clipOf(requested: RequestedAnnouncement, bytes: ClipBytes): Clip {
    const { emit, state } = this.#events;
    return {
      bytes,
      duration: null,
      started: () => {
        if (this.#requested === requested) state('signing');
        emit('sign-start', { ref: requested.ref, text: '' });
        this.player.counts.started(requested);
        emit('sign-stats', this.stats);
      },
      ended: () => {
        emit('sign-end', { ref: requested.ref, text: '' });
        this.player.counts.texts += 1;
        emit('sign-stats', this.stats);
        requested.over = true;
        requested.outcome.resolve({ requestId: requested.ref, url: bytes.url });
        if (this.#requested === requested && !this.player.loop) state('ended');
      },
      failed: (error) => {
        if (this.#shown === requested) this.#shown = null;
        const mayLoad = requested.isUnread && requested.asked > 0;
        if (this.#requested === requested) this.#fail(requested, error, mayLoad ? requested.stop : null);
      },
    };
  }

  #fail(requested: RequestedAnnouncement | null, cause: unknown, kept: AbortController | null = null): void {
    const error = cause instanceof SignError ? cause : ownError('media_error', String(cause), { cause });
    this.player.moreExpected = false;
    // The page may announce it again.
    if (this.#requested === requested) this.#requested = null;
    this.#events.state('failed');
    this.#events.emit('sign-error', { error, ...refOf(requested) });
    requested?.outcome.reject(error);
    this.#keep(kept);
    if (!kept) requested?.stop.abort(error);
  }
}

const replaced = (): DOMException => abortError('this is not announced any more');

/** The ref is known after the service has accepted the announcement. */
const refOf = (requested: RequestedAnnouncement | null): { ref?: string } =>
  requested?.ref ? { ref: requested.ref } : {};

/** A key of everything an announcement depends on; empty when there is nothing to announce. */
const keyOf = (options: AnnouncementOptions | null): string =>
  options && Object.values(options.fields).some((value) => value) ? JSON.stringify(options) : '';

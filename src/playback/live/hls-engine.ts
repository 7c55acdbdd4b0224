// HLS by hls.js through MediaSource.
// - The light build by default: it plays low-latency HLS as well as the full one with two thirds of the bytes. The full build
//   replaces it when the multivariant playlist has an audio rendition of its own (EXT-X-MEDIA, TYPE=AUDIO with a URI), when a
//   playlist has variables (EXT-X-DEFINE), and when a segment is H.265 in MPEG-TS.
// - Hinted parts are fetched early (part-prefetch.ts), stale playlists are fetched again (playlist-loader.ts).
// - 40 s behind the current time stay in memory. hls.js neither changes the speed nor moves away from live after a
//   stall: latency-controller.ts and stall-detector.ts do that for all engines.
// - The options of a page (`configure`) replace ours, except for the start, the live duration, the latency after a stall and the
//   loaders. Our loaders call the page's loader. Where the page sets up requests, no part is fetched early.
// - No worker: a `blob:` worker violates a strict CSP, and fragmented MP4 needs no transmuxing.
import type Hls from 'hls.js';
import type { HlsConfig, LevelDetails } from 'hls.js';
import { loadCode } from '../../internal/load-code.ts';
import { pageSettings } from '../../internal/page-settings.ts';
import { isFinalStatus } from '../../protocol/own-errors.ts';
import type { Engine, EngineEvents, EngineOptions, OpenEngine } from './engine.ts';
import {
  endOverHoles,
  finishSegments,
  keepParts,
  leaveOutUnreadable,
  playOverTrackChanges,
  reloadDroppedParts,
  reloadOutOfPlace,
} from './hls-repairs.ts';
import { LiveEdge } from './live-edge.ts';
import { prefetchLoader, PartPrefetch } from './part-prefetch.ts';
import { playlistLoader } from './playlist-loader.ts';
import { bufferEnd } from './stream-recovery.ts';

const KEPT_SECONDS = 40;

type Player = typeof Hls;

/** What a page may set of hls.js. */
export type HlsOptions = Partial<HlsConfig>;

const optionsOfPage = (): HlsOptions => pageSettings.hls ?? {};

/** @returns null when the browser has no MediaSource that plays HLS */
export async function loadHls(): Promise<OpenEngine | null> {
  // The light build has neither CMCD (CTA-5004) nor decryption.
  const { cmcd, emeEnabled } = optionsOfPage();
  const isLight = !cmcd && !emeEnabled;
  const { default: Player } = await (isLight ? import('hls.js/light') : import('hls.js'));
  return Player.isSupported() ? (options) => new HlsEngine(Player, options, isLight) : null;
}

type Advice = Pick<LevelDetails, 'partHoldBack' | 'holdBack' | 'targetduration'>;

/** Seconds behind live (RFC 8216bis, EXT-X-SERVER-CONTROL). A value that is not above 0 counts as missing. */
export const holdBackOf = ({ partHoldBack, holdBack, targetduration }: Advice): number =>
  [partHoldBack, holdBack].find((seconds) => seconds > 0) ?? 3 * targetduration;

class HlsEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #events: EngineEvents;
  #prefetch!: PartPrefetch;
  #hls!: Hls;
  #liveEdge = new LiveEdge();
  #url = '';
  #latency: number | null;
  #isStarting = true;
  #isDestroyed = false;

  constructor(Player: Player, options: EngineOptions, isLight: boolean) {
    this.#options = options;
    this.#events = options.events;
    this.#latency = options.targetLatency;
    this.#use(Player, isLight);
  }

  #use(Player: Player, isLight: boolean): void {
    const { video, fromStart, hasEnd } = this.#options;
    const prefetch = (this.#prefetch = new PartPrefetch());
    const { loader: pageLoader, ...ofPage } = optionsOfPage();
    const loader = pageLoader ?? Player.DefaultConfig.loader;
    // The requests may need what only the page gives them, such as credentials.
    const mayPrefetch = !pageLoader && !ofPage.xhrSetup;
    const hls = (this.#hls = new Player({
      backBufferLength: KEPT_SECONDS,
      enableWorker: false,
      debug: pageSettings.log === 'debug',
      ...ofPage,
      liveDurationInfinity: true,
      liveSyncOnStallIncrease: 0,
      startPosition: fromStart ? 0 : -1,
      pLoader: playlistLoader(loader, {
        onVariables: isLight ? () => void this.#useFull() : null,
        hasEnd,
      }),
      fLoader: prefetchLoader(loader, prefetch),
    }));
    const { Events, ErrorTypes } = Player;
    if (isLight) {
      hls.on(Events.MANIFEST_LOADED, (_, { audioTracks }) => {
        if (audioTracks.some(({ url }) => url)) void this.#useFull();
      });
    }
    hls.on(Events.LEVEL_UPDATED, (_, { details }) => {
      this.#liveEdge.update(details.edge, details.targetduration, performance.now());
      this.setTargetLatency(this.#latency);
      if (mayPrefetch) prefetch.onPlaylist(details, this.#isNearEdge(details));
      this.#events.onPlaylist();
    });
    this.#isStarting = true;
    // hls.js seeks to its start position when the first fragment is buffered, before it calls this listener.
    hls.on(Events.FRAG_BUFFERED, (_, { frag, stats }) => {
      if (frag.gap) return;
      this.#isStarting = false;
      this.#events.onBuffered(stats.loaded);
    });
    leaveOutUnreadable(hls, Player, (message) =>
      this.#events.onError({ cause: 'media', status: 0, message }),
    );
    endOverHoles(hls, Player);
    keepParts(hls);
    finishSegments(hls, Player);
    reloadDroppedParts(hls, Player);
    // A stream that plays from its start would begin again there.
    if (!fromStart) reloadOutOfPlace(hls, Player, () => this.isLive && this.load(this.#url));
    const playsOver = playOverTrackChanges(hls, Player, video);
    hls.on(Events.ERROR, (_, data) => {
      if (isLight && /HEVC/.test(data.reason ?? '')) return void this.#useFull();
      if (playsOver(data)) return;
      const { fatal, type, details, response } = data;
      const status = response?.code ?? 0;
      // hls.js requests a refused key eight times more. That does not help where there is no other level and no later segment.
      const isRefusedKey =
        details === Player.ErrorDetails.KEY_LOAD_ERROR &&
        isFinalStatus(status) &&
        !hls.levels[1] &&
        this.isLive === false &&
        !video.buffered.length;
      const isRetried = !fatal && !isRefusedKey;
      if (!isRetried) this.stop();
      const cause = type === ErrorTypes.MEDIA_ERROR ? 'media' : 'network';
      this.#events.onError({ cause, status, message: details, isRetried });
    });
    hls.attachMedia(video);
  }

  /** Loads the same manifest again with the full build of hls.js. */
  async #useFull(): Promise<void> {
    const light = this.#hls;
    light.stopLoad();
    try {
      const { default: Full } = await loadCode(() => import('hls.js'), this.#events);
      if (this.#isDestroyed || this.#hls !== light) return;
      this.#drop();
      this.#use(Full, false);
      this.load(this.#url);
    } catch {
      this.#events.onError({ cause: 'network', status: 0, message: 'the player did not load' });
    }
  }

  /** False when playback is paused, or far from the edge: then no hinted part is needed. */
  #isNearEdge({ edge, targetduration }: LevelDetails): boolean {
    const { video } = this.#options;
    const { paused, readyState } = video;
    const isFar = video.buffered.length > 0 && edge - bufferEnd(video) >= 2 * targetduration;
    return !isFar && !(paused && readyState > HTMLMediaElement.HAVE_METADATA);
  }

  get #details(): LevelDetails | null {
    return this.#hls.latestLevelDetails;
  }

  load(url: string): void {
    this.#url = url;
    this.#prefetch.clear();
    this.#liveEdge = new LiveEdge();
    this.#hls.loadSource(url);
  }

  get isLive(): boolean | null {
    return this.#details?.live ?? null;
  }

  get isSoundAlone(): boolean {
    const { audioCodec, videoCodec } = this.#hls.levels[0] ?? {};
    return audioCodec !== undefined && videoCodec === undefined;
  }

  /** A MediaSource of finite duration names everything from 0 as seekable, also what a live playlist has dropped. */
  get windowStart(): number {
    return this.#details?.fragmentStart ?? 0;
  }

  /** A playlist that counts from 0 has dropped nothing. */
  get begin(): number {
    return this.#details?.startSN === 0 ? this.windowStart : -Infinity;
  }

  get edge(): number | null {
    return this.#details?.edge ?? null;
  }

  get liveEdge(): number | null {
    return this.#details?.live ? this.#liveEdge.at(performance.now()) : null;
  }

  /**
   * At least once and a third what comes at once, as far as the playlist reaches back: where a cache keeps playlists for seconds,
   * or an encoder sends several segments together, playback at the advised distance would stop and leap forward each time.
   */
  get holdBack(): number | null {
    const details = this.#details;
    if (!details) return null;
    const listed = details.totalduration - details.targetduration;
    return Math.max(holdBackOf(details), Math.min((4 / 3) * this.#liveEdge.burst, listed));
  }

  get isStarting(): boolean {
    return this.#isStarting;
  }

  get received(): number {
    return this.#hls.inFlightFragments.main?.frag?.stats.loaded ?? 0;
  }

  setTargetLatency(latency: number | null): void {
    this.#latency = latency;
    const { holdBack } = this;
    if (holdBack !== null) this.#hls.targetLatency = Math.max(latency ?? 0, holdBack);
  }

  timeOf(moment: number): number | null {
    const dated = this.#datedFragment((fragment) => fragment.programDateTime! <= moment);
    return dated && dated.start + (moment - dated.programDateTime!) / 1000;
  }

  momentOf(time: number): number | null {
    const dated = this.#datedFragment(({ start }) => start <= time);
    return dated && dated.programDateTime! + (time - dated.start) * 1000;
  }

  /** The last fragment with a date that passes `isBefore`, else the first fragment with a date. */
  #datedFragment(isBefore: (fragment: LevelDetails['fragments'][number]) => boolean) {
    const details = this.#details;
    if (!details) return null;
    const { fragments, fragmentHint } = details;
    const all = fragmentHint ? [...fragments, fragmentHint] : fragments;
    const dated = all.filter(({ programDateTime }) => programDateTime !== null);
    return dated.findLast(isBefore) ?? dated[0] ?? null;
  }

  stop(): void {
    this.#prefetch.clear();
    this.#hls.stopLoad();
  }

  start(second?: number): void {
    if (this.#hls.levels[0]) this.#hls.startLoad(second);
    else this.load(this.#url);
  }

  repair(): void {
    const { currentTime } = this.#options.video;
    this.#hls.recoverMediaError();
    // After `stop()`, which follows each fatal error, `recoverMediaError` alone loads nothing.
    this.start(currentTime || this.#hls.config.startPosition);
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#drop();
  }

  #drop(): void {
    this.#prefetch.clear();
    this.#hls.destroy();
  }
}

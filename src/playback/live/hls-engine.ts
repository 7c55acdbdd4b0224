// HLS by hls.js through MediaSource. Policy: the light build, which plays low-latency HLS as well as the full one in two
// thirds of the bytes; the full one takes over by itself when the multivariant playlist has sound in a playlist of its own
// (EXT-X-MEDIA, TYPE=AUDIO with a URI), which the light one would leave out. The part that is hinted at is asked for early
// (hinted-parts.ts), a playlist that is older than what was asked for once more (fresh-playlists.ts). 40 s behind the
// picture stay in memory. Catch-up and the reaction to stalls are ours, so hls.js's own are off. No worker: a `blob:` one
// would violate a strict policy, and fragmented MP4 needs no transmuxing.
import type Hls from 'hls.js';
import type { LevelDetails } from 'hls.js';
import type { Engine, EngineEvents, EngineOptions, OpenEngine } from './engine.ts';
import { freshLoader } from './fresh-playlists.ts';
import { hintedLoader } from './hinted-loader.ts';
import { HintedParts } from './hinted-parts.ts';
import { LiveClock } from './live-clock.ts';

const KEPT_SECONDS = 40;

type Player = typeof Hls;

/** Null where the browser has no MediaSource that plays it. */
export async function loadHls(): Promise<OpenEngine | null> {
  const { default: Light } = await import('hls.js/light');
  return Light.isSupported() ? (options) => new HlsEngine(Light, options) : null;
}

type Advice = Pick<LevelDetails, 'partHoldBack' | 'holdBack' | 'targetduration'>;

/** Seconds behind live (RFC 8216bis, EXT-X-SERVER-CONTROL). A playlist may say anything: what is no distance counts as none. */
export const holdBackOf = ({ partHoldBack, holdBack, targetduration }: Advice): number =>
  [partHoldBack, holdBack].find((seconds) => seconds > 0) ?? 3 * targetduration;

class HlsEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #events: EngineEvents;
  #hints!: HintedParts;
  #hls!: Hls;
  #clock = new LiveClock();
  #url = '';
  #latency: number | null;
  #isDestroyed = false;

  constructor(Player: Player, options: EngineOptions) {
    this.#options = options;
    this.#events = options.events;
    this.#latency = options.targetLatency;
    this.#use(Player, true);
  }

  #use(Player: Player, isLight: boolean): void {
    const { video, fromStart } = this.#options;
    const hints = (this.#hints = new HintedParts());
    const hls = (this.#hls = new Player({
      backBufferLength: KEPT_SECONDS,
      enableWorker: false,
      liveDurationInfinity: true,
      liveSyncOnStallIncrease: 0,
      startPosition: fromStart ? 0 : -1,
      pLoader: freshLoader(Player.DefaultConfig.loader),
      fLoader: hintedLoader(Player.DefaultConfig.loader, hints),
    }));
    const { Events, ErrorTypes } = Player;
    if (isLight) {
      hls.on(Events.MANIFEST_LOADED, (_, { audioTracks }) => {
        if (audioTracks.some(({ url }) => url)) void this.#useFull();
      });
    }
    hls.on(Events.LEVEL_UPDATED, (_, { details }) => {
      this.#clock.told(details.edge, details.targetduration, performance.now());
      this.aimAt(this.#latency);
      hints.heed(details, this.#isNearEdge(details));
      this.#events.read();
    });
    hls.on(Events.FRAG_BUFFERED, () => this.#events.fed());
    hls.on(Events.ERROR, (_, { fatal, type, details, response }) => {
      if (!fatal) return;
      hints.clear();
      const cause = type === ErrorTypes.MEDIA_ERROR ? 'media' : 'network';
      this.#events.broken({ cause, status: response?.code ?? 0, message: details });
    });
    hls.attachMedia(video);
  }

  /** Sound of its own: the same manifest once more, in the build that can play it. */
  async #useFull(): Promise<void> {
    const light = this.#hls;
    light.stopLoad();
    try {
      const { default: Full } = await import('hls.js');
      if (this.#isDestroyed || this.#hls !== light) return;
      this.#drop();
      this.#use(Full, false);
      this.load(this.#url);
    } catch {
      this.#events.broken({ cause: 'network', status: 0, message: 'the player did not load' });
    }
  }

  /** What is far from the edge, or stands, needs no part that is not there yet. */
  #isNearEdge({ edge, targetduration }: LevelDetails): boolean {
    const { buffered, paused, readyState } = this.#options.video;
    const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : edge;
    return edge - end < 2 * targetduration && !(paused && readyState > HTMLMediaElement.HAVE_METADATA);
  }

  get #details(): LevelDetails | null {
    return this.#hls.latestLevelDetails;
  }

  load(url: string): void {
    this.#url = url;
    this.#hints.clear();
    this.#clock = new LiveClock();
    this.#hls.loadSource(url);
  }

  get isLive(): boolean | null {
    return this.#details?.live ?? null;
  }

  get edge(): number | null {
    return this.#details?.edge ?? null;
  }

  get liveEdge(): number | null {
    return this.#details?.live ? this.#clock.at(performance.now()) : null;
  }

  get holdBack(): number | null {
    return this.#details && holdBackOf(this.#details);
  }

  get received(): number {
    return this.#hls.inFlightFragments.main?.frag?.stats.loaded ?? 0;
  }

  aimAt(latency: number | null): void {
    this.#latency = latency;
    const { holdBack } = this;
    if (holdBack !== null) this.#hls.targetLatency = Math.max(latency ?? 0, holdBack);
  }

  timeOf(moment: number): number | null {
    const dated = this.#dated((fragment) => fragment.programDateTime! <= moment);
    return dated && dated.start + (moment - dated.programDateTime!) / 1000;
  }

  momentOf(time: number): number | null {
    const dated = this.#dated(({ start }) => start <= time);
    return dated && dated.programDateTime! + (time - dated.start) * 1000;
  }

  /** The last fragment with a date that `isBefore` accepts, else the first with one. */
  #dated(isBefore: (fragment: LevelDetails['fragments'][number]) => boolean) {
    const details = this.#details;
    if (!details) return null;
    const { fragments, fragmentHint } = details;
    const all = fragmentHint ? [...fragments, fragmentHint] : fragments;
    const dated = all.filter(({ programDateTime }) => programDateTime !== null);
    return dated.findLast(isBefore) ?? dated[0] ?? null;
  }

  stop(): void {
    this.#hints.clear();
    this.#hls.stopLoad();
  }

  start(): void {
    if (this.#hls.levels.length > 0) this.#hls.startLoad();
    else this.load(this.#url);
  }

  repair(): void {
    this.#hls.recoverMediaError();
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#drop();
  }

  #drop(): void {
    this.#hints.clear();
    this.#hls.destroy();
  }
}

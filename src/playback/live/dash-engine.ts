// DASH by the DASH build of Shaka, an optional peer dependency, for `sign-elements/dash`.
// - Shaka buffers and decodes. Its live sync and its endless retries of live streams are off.
// - Of its polyfills only that of `Map.prototype.getOrInsertComputed` is installed, which it cannot run without (Safari before
//   26.2).
// - A manifest must not change its availabilityStartTime (ISO/IEC 23009-1, 5.4), and Shaka (5.2) keeps the first one even where a
//   packager has started again with times from 0. Such a manifest is loaded anew once the buffer is played, and not at once,
//   because a balancer may have two packagers.
// - A page may have a Shaka of its own, so the global variable that this build sets without a bundler is restored.
import type shaka from 'shaka-player/dist/shaka-player.dash-es2021.js';
import type { Engine, EngineEvents, EngineError, EngineOptions, OpenEngine } from './engine.ts';

const KEPT_SECONDS = 40;
/** The shortest time between two loads after a restart of the packager. */
const LOAD_MS = 10_000;
const NETWORK = 1;
const MANIFEST = 4;
/** A type of request: a segment, or its initialisation segment. */
const SEGMENT = 1;
const BAD_STATUS = 1001;
const CRITICAL = 2;
/** Another call has replaced the load, or the player was destroyed (LOAD_INTERRUPTED, OPERATION_ABORTED, OBJECT_DESTROYED). */
const ENDED_BY_US: readonly unknown[] = [7000, 7001, 7003];

/** The part of an `MPD` element that is read here. */
interface Mpd {
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** Seconds of an `xs:duration` of less than a day, as `PT4S` or `P0Y0M0DT0H0M4S`; NaN for anything else. */
function secondsOf(duration: string | undefined): number {
  const parts = /^P(?:0+[YMD])*T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(duration ?? '');
  if (!parts) return NaN;
  const [hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return hours * 3600 + minutes * 60 + seconds;
}

type Shaka = typeof shaka;
type WithShaka = { shaka?: Shaka };

/** Set by the first load: a script that is loaded again sets no global variable. */
let kept: Shaka | null = null;

async function loadShaka(): Promise<Shaka> {
  const page = globalThis as WithShaka;
  const before = page.shaka;
  const { default: bundled } = (await import('shaka-player/dist/shaka-player.dash-es2021.js')) as {
    default?: Shaka;
  };
  if (bundled) return bundled;
  const loaded = kept ?? page.shaka;
  if (!loaded) throw new Error('Shaka did not load');
  kept = loaded;
  if (before) page.shaka = before;
  else delete page.shaka;
  return loaded;
}

/** @returns null when this browser cannot run Shaka */
export async function loadDash(): Promise<OpenEngine | null> {
  const { Player, polyfill } = await loadShaka();
  polyfill.Map.install();
  return Player.isBrowserSupported() ? (options) => new DashEngine(Player, options) : null;
}

function engineError(error: shaka.util.Error): EngineError {
  const status = error.code === BAD_STATUS ? Number(error.data[1]) : 0;
  // What is no manifest may be the page of a gateway or of a network's login.
  const cause = error.category === NETWORK || error.category === MANIFEST ? 'network' : 'media';
  return { cause, status, message: `Shaka ${error.code}` };
}

/** True for HTML. A text track may be XML. */
const isPage = (segment: ArrayBuffer): boolean =>
  /^\s*<[!h]/i.test(new TextDecoder().decode(new Uint8Array(segment).subarray(0, 64)));

class DashEngine implements Engine {
  readonly #player: shaka.Player;
  readonly #events: EngineEvents;
  readonly #video: HTMLVideoElement;
  readonly #attached: Promise<unknown>;
  readonly #fromStart: boolean;
  #url = '';
  /** The delay that the manifest advises; NaN before it was read. */
  #delay = NaN;
  /** The availabilityStartTime of the manifest that was read first since the load. */
  #start: string | undefined;
  /** The manifest that was read last has another one. */
  #isRestarted = false;
  #loadedAt = 0;
  #latency: number | null = null;
  #isDestroyed = false;

  constructor(Player: Shaka['Player'], { video, fromStart, targetLatency, events }: EngineOptions) {
    this.#fromStart = fromStart;
    this.#events = events;
    this.#video = video;
    const player = (this.#player = new Player());
    // Shaka requires a callback with one argument, which a minifier must not drop. The error event reports the same errors.
    const failureCallback = Boolean;
    player.configure({
      streaming: { bufferBehind: KEPT_SECONDS, failureCallback, liveSync: { enabled: false } },
      manifest: { dash: { manifestPreprocessorTXml: (mpd: Mpd) => this.#readMpd(mpd) } },
    });
    // Chromium takes the first bytes of a page for the length of a box, and waits for 1 GB of it, whatever is appended then.
    player.getNetworkingEngine()?.registerResponseFilter((type, { data }) => {
      if (type === SEGMENT && isPage(data as ArrayBuffer)) throw new Error('a page in place of a segment');
    });
    this.setTargetLatency(targetLatency);
    for (const type of ['manifestparsed', 'manifestupdated'])
      player.addEventListener(type, () => events.onPlaylist());
    player.addEventListener('manifestupdated', () => {
      const waits = video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
      const isDue = this.#isRestarted && performance.now() - this.#loadedAt > LOAD_MS;
      if (isDue && waits) this.load(this.#url);
    });
    let counted = 0;
    player.addEventListener('segmentappended', () => {
      const { received } = this;
      events.onBuffered(received - counted);
      counted = received;
    });
    player.addEventListener('error', (event) => {
      const { detail } = event as unknown as CustomEvent<shaka.util.Error>;
      if (detail.severity === CRITICAL) events.onError(engineError(detail));
    });
    this.#attached = player.attach(video);
    // load() waits for this promise and reports its failure. A player that is destroyed before that has nothing to report.
    this.#attached.catch(() => {});
  }

  load(url: string): void {
    this.#url = url;
    this.#start = undefined;
    this.#loadedAt = performance.now();
    void this.#load(url);
  }

  async #load(url: string): Promise<void> {
    try {
      await this.#attached;
      if (this.#isDestroyed) return;
      await this.#player.load(url, this.#fromStart ? 0 : null, 'application/dash+xml');
    } catch (error) {
      const { code, category } = error as Partial<shaka.util.Error>;
      if (ENDED_BY_US.includes(code)) return;
      const isShakas = code !== undefined && category !== undefined;
      this.#events.onError(
        isShakas
          ? engineError(error as shaka.util.Error)
          : { cause: 'media', status: 0, message: `Shaka ${String(error)}` },
      );
    }
  }

  /** The delay is as Shaka takes it: suggestedPresentationDelay, else 1.5 times minBufferTime. */
  #readMpd({ attributes }: Mpd): void {
    const { suggestedPresentationDelay, minBufferTime, availabilityStartTime } = attributes;
    this.#start ??= availabilityStartTime;
    // The manifest of a stream that has ended needs none.
    this.#isRestarted = (availabilityStartTime ?? this.#start) !== this.#start;
    const suggested = secondsOf(suggestedPresentationDelay);
    this.#delay = Number.isNaN(suggested) ? 1.5 * secondsOf(minBufferTime) : suggested;
  }

  /** Shaka's answer is false while it has no manifest, such as while it loads one anew. */
  get isLive(): boolean | null {
    return this.#player.getManifestType() ? this.#player.isLive() : null;
  }

  get edge(): number | null {
    if (!this.#player.getManifestType()) return null;
    return this.#player.seekRange().end + (this.#player.isLive() ? (this.holdBack ?? 0) : 0);
  }

  get liveEdge(): number | null {
    return this.isLive ? this.edge : null;
  }

  get holdBack(): number | null {
    const delay = this.#latency ?? this.#delay;
    return Number.isNaN(delay) ? null : delay;
  }

  /** Shaka sets the time before there is media. */
  readonly isStarting = false;

  get received(): number {
    return this.#player.getStats().bytesDownloaded;
  }

  setTargetLatency(latency: number | null): void {
    this.#latency = latency;
    this.#player.configure({
      manifest: {
        // 0 is the default of Shaka.
        defaultPresentationDelay: latency ?? 0,
        dash: { ignoreSuggestedPresentationDelay: latency !== null },
      },
    });
  }

  timeOf(moment: number): number | null {
    const start = this.#player.getPresentationStartTimeAsDate();
    return start && (moment - start.getTime()) / 1000;
  }

  momentOf(time: number): number | null {
    const start = this.#player.getPresentationStartTimeAsDate();
    return start && start.getTime() + time * 1000;
  }

  stop(): void {
    this.#setFetching(false);
  }

  start(): void {
    this.#setFetching(true);
    // Shaka keeps an initialisation segment that did not load, and does not request it again.
    if (this.#video.buffered.length === 0 || !this.#player.retryStreaming(0)) this.load(this.#url);
  }

  /** Shaka reads a manifest again when this period is changed to one of 0 or more; -1 is that of the manifest. */
  #setFetching(on: boolean): void {
    this.#player.configure({
      streaming: { stopFetchingOnPause: !on },
      manifest: { continueLoadingWhenPaused: on, updatePeriod: on ? 0 : -1 },
    });
    this.#player.configure('manifest.updatePeriod', -1);
  }

  repair(): void {
    this.load(this.#url);
  }

  destroy(): Promise<void> {
    this.#isDestroyed = true;
    // Shaka (5.2) must not be destroyed while its MediaSource opens: it leaves listeners on the video, or waits for ever.
    return this.#attached.catch(() => {}).then(() => this.#player.destroy());
  }
}

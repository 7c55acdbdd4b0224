// Plays a live stream at the latency that the manifest advises, or at the wanted one, plus the margin that stalls add.
// - A small distance is made up by playback rate, more than 3 s by a seek.
// - A visitor who has sought back, or paused for more than 2 s, stays there until they go live or that position is gone.
// - Another stream (the composite, a new address) goes on at the same moment of the manifest's clock, else at live.
// - After the page was hidden it plays at live. A stream that has ended is played from its first available frame.
// - A stream that has been paused for 30 s is not downloaded, because a visitor may close its panel and leave the page open.
import { ownError } from '../../protocol/own-errors.ts';
import { timeRanges } from '../player.ts';
import { bufferedAhead, bufferedSecond } from './stream-recovery.ts';
import { LatencyController } from './latency-controller.ts';
import { chooseStream } from './engine.ts';
import type { LiveSource } from './live-source.ts';
import { PageVisibility } from './page-visibility.ts';
import { StallDetector } from './stall-detector.ts';
import type { StreamRenderer } from './stream-renderer.ts';
import { StreamPlayer } from './stream-player.ts';

/** Playback counts as live within this distance of the live position. */
const LIVE_SECONDS = 1;
/** Farther behind the live position than this, it seeks; nearer, it changes the playback rate. */
const SEEK_SECONDS = 3;
const SEEK_INTERVAL_MS = 5000;
/** After a longer pause than this, playback no longer follows live. */
const PAUSE_SECONDS = 2;
/** An address that is refused within this time after it was looked up again is final. */
const RENEWED_MS = 30_000;
/** Seconds buffered ahead of the point where a stream is shown: one part, and the delay of the next. */
const ENTRY_SECONDS = 0.3;
const FRAME_SECONDS = 0.04;
/** After the first seek, this distance from the entry is near enough. */
const NEAR_SECONDS = 0.3;

/** The values that media-chrome uses. */
export type StreamType = 'live' | 'on-demand' | 'unknown';

/** Plays a live stream at the wanted latency. */
export class LivePlayer extends StreamPlayer {
  #targetLatency: number | null = null;
  #steeringRate: number | null = null;
  /** False after the visitor has sought back, or paused for long. */
  #followsLive = true;
  #latencyController = new LatencyController();
  #stalls = new StallDetector(() => {});
  readonly #stallsOf = new WeakMap<StreamRenderer, StallDetector>();
  readonly #visibility = new PageVisibility(
    () => this.resume(),
    () => (this.paused && this.active?.isLive ? this.active : null),
  );
  #streamType: StreamType = 'unknown';
  #seekedAt = -Infinity;
  /** Playlists in a row that put the live position far ahead. */
  #farPlaylists = 0;

  /** Shows this source; the one on screen stays until the new one has painted. */
  show(source: LiveSource): void {
    this.#activate(source, -Infinity);
  }

  /** @param renewedAt when its address was last looked up again, in milliseconds of `performance.now()` */
  #activate(source: LiveSource, renewedAt: number): void {
    const chosen = chooseStream(source.addresses, source.protocol);
    if (!chosen) return source.failed(ownError('media_error', 'the stream has no manifest'));
    const stalls = new StallDetector((stalled) => {
      if (stalled) this.counts.stalls += 1;
      source.recovering(stalled);
    });
    const renew = async (signal: AbortSignal): Promise<boolean> => {
      const now = performance.now();
      if (!source.renew || now - renewedAt < RENEWED_MS) return false;
      const addresses = await source.renew(signal);
      const again = addresses && chooseStream(addresses, source.protocol);
      if (!addresses || !again || again.url === chosen.url || renderer !== this.newest) return false;
      this.#activate({ ...source, addresses }, now);
      return true;
    };
    const renderer: StreamRenderer = this.open({
      ...chosen,
      fromStart: false,
      targetLatency: this.#targetLatency,
      isOver: () => source.isOver?.() === true,
      ...(source.renew && { renew }),
      painted: () => source.painted(),
      ended: () => (this.loop && this.ended ? this.tryToPlay() : source.ended()),
      recovering: (failed) => stalls.engineFailed(failed),
      onPlaylist: () => this.#onPlaylist(renderer),
      failed: (error) => source.failed(error),
    });
    this.#stallsOf.set(renderer, stalls);
  }

  /** Seeks to live and plays. */
  goLive(): void {
    this.#visibility.goOn();
    this.#followsLive = true;
    if (this.active) this.#seekToLive(this.active);
    this.tryToPlay();
  }

  /** The second of the video for this moment of the manifest's clock; null when it has no dates. */
  timeOf(moment: number): number | null {
    return this.active?.timeOf(moment) ?? null;
  }

  /** The moment of this second of the video; null when the manifest has no dates. */
  momentOf(time: number): number | null {
    return this.active?.momentOf(time) ?? null;
  }

  /** Playback rate while another object steers the position (VideoSync); null, the default, follows live. */
  get steeringRate(): number | null {
    return this.#steeringRate;
  }
  set steeringRate(rate: number | null) {
    this.#steeringRate = rate;
    if (this.active) this.updateRate(this.active);
  }

  /** Seconds behind live; null before there is media, and for a stream with an end. */
  get latency(): number | null {
    return this.active && this.active.latency;
  }

  /** True while playback is live. */
  get isAtLive(): boolean {
    return this.currentTime >= this.liveEdgeStart;
  }

  /** Seconds behind live at which playback should be; null follows the manifest. */
  set targetLatency(seconds: number | null) {
    if (seconds === this.#targetLatency) return;
    this.#targetLatency = seconds;
    for (const renderer of [this.active, this.newest]) if (renderer) renderer.targetLatency = seconds;
  }

  /** The second from which playback counts as live; NaN when nothing is live. */
  get liveEdgeStart(): number {
    return Math.max(0, this.livePosition - LIVE_SECONDS);
  }

  /** The second at which live playback should be, with the margin of stalls unless it is steered; NaN when nothing is live. */
  get livePosition(): number {
    return (this.active?.livePosition ?? NaN) - (this.#steeringRate === null ? this.#stalls.margin : 0);
  }

  get streamType(): StreamType {
    return this.#streamType;
  }

  override get currentTime(): number {
    return super.currentTime;
  }
  override set currentTime(time: number) {
    const { active, livePosition } = this;
    this.#visibility.goOn();
    const isSteered = this.#steeringRate !== null;
    // A seek by the steering object is not the visitor's.
    if (!isSteered) this.#followsLive = active?.isLive !== true || !(time < this.liveEdgeStart);
    if (!isSteered && active && time > livePosition) this.#seekToLive(active);
    else super.currentTime = time;
  }

  /** Of a live stream it ends at the live position, because other controls seek to the end to go live, and media must be there. */
  override get seekable(): TimeRanges {
    const seekable = super.seekable;
    const { active, livePosition } = this;
    if (!active || seekable.length === 0) return seekable;
    const end = seekable.end(seekable.length - 1);
    const start = Math.max(seekable.start(0), active.windowStart);
    return timeRanges([start, livePosition < end ? livePosition : end]);
  }

  override async play(): Promise<void> {
    const { active, seekable } = this;
    if (this.ended && seekable.length > 0) this.currentTime = seekable.start(0);
    else if (active?.isLive && this.paused && (this.#visibility.isIdle || !this.held))
      this.#resumeAfterPause(active);
    this.#visibility.goOn();
    await super.play();
  }

  override reset(): void {
    this.#visibility.reset();
    this.#followsLive = true;
    this.#stalls = new StallDetector(() => {});
    super.reset();
    this.#setStreamType('unknown');
  }

  protected override get held(): boolean {
    return this.#visibility.isHolding;
  }

  protected override onVisibility(): void {
    if (!document.hidden) this.#visibility.onVisible();
    else if (this.active && !this.paused) this.#visibility.onHidden(this.active);
  }

  protected override entryOf(renderer: StreamRenderer, tried: number): number | null {
    const { video, livePosition } = renderer;
    const now = this.active?.momentOf(this.currentTime) ?? null;
    const same = now === null ? null : renderer.timeOf(now);
    const { seekable } = video;
    const isKept = same !== null && seekable.length > 0 && same >= seekable.start(0);
    // A visitor who has sought back stays back when the view changes.
    if (isKept && !this.#followsLive) return Math.abs(same - video.currentTime) < NEAR_SECONDS ? null : same;
    const wanted = same !== null && bufferedAhead(video, same) > 0 ? same : livePosition;
    const entry = wanted === null ? null : bufferedSecond(video, wanted, ENTRY_SECONDS);
    const near = tried === 0 ? FRAME_SECONDS : NEAR_SECONDS;
    return entry === null || Math.abs(entry - video.currentTime) < near ? null : entry;
  }

  protected override onActive(renderer: StreamRenderer, signal: AbortSignal): void {
    this.#latencyController = new LatencyController();
    this.#stalls = this.#stallsOf.get(renderer)!;
    this.#stalls.watch(renderer.video, signal, () => !this.paused && !this.held);
    this.#visibility.reset();
    this.#onPlaylist(renderer);
    if (document.hidden) this.onVisibility();
    this.addEventListener('pause', () => this.#visibility.onPaused(), { signal });
    this.#visibility.onPaused();
  }

  protected override onFrame(_renderer: StreamRenderer, second: number): void {
    this.#stalls.frameShown(second);
  }

  protected override rateOf(renderer: StreamRenderer): number {
    const { playbackRate } = this;
    const { video, latency, targetLatency } = renderer;
    if (renderer === this.active && this.#steeringRate !== null) return this.#steeringRate;
    if (renderer !== this.active || latency === null || targetLatency === null) return playbackRate;
    // At live there is no media for a faster rate.
    if (playbackRate !== 1) return latency > targetLatency + 0.5 ? playbackRate : Math.min(1, playbackRate);
    if (!this.#followsLive) return 1;
    const [target, ahead] = [targetLatency + this.#stalls.margin, bufferedAhead(video, video.currentTime)];
    return this.#latencyController.rate(latency, target, ahead, performance.now());
  }

  /**
   * True when playback is far from the live position; called for each playlist. Where the live position has no media, it takes two
   * playlists in a row: when a packager restarts and counts its segments anew, hls.js guesses an edge far ahead and corrects it.
   */
  #isMisplaced({ livePosition, edge, video }: StreamRenderer): boolean {
    if (livePosition === null || edge === null) return false;
    const isFarBehind = livePosition - video.currentTime > SEEK_SECONDS;
    this.#farPlaylists = isFarBehind ? this.#farPlaylists + 1 : 0;
    if (isFarBehind) return this.#farPlaylists > 1 || bufferedAhead(video, livePosition) > 0;
    return video.currentTime - edge > SEEK_SECONDS;
  }

  #onPlaylist(renderer: StreamRenderer): void {
    if (renderer !== this.active) return;
    this.#setStreamType(renderer.isLive === null ? 'unknown' : renderer.isLive ? 'live' : 'on-demand');
    const hasReturned = this.#visibility.onPlaylist(renderer);
    if (hasReturned && this.#isGone(renderer)) this.#followsLive = true;
    // It ended in an outage, and the playlist lacks what comes next.
    const { video, windowStart } = renderer;
    const missing = windowStart - video.currentTime - bufferedAhead(video, video.currentTime);
    if (renderer.isLive === false && missing > 0.5) video.currentTime = windowStart;
    const mayMove = performance.now() - this.#seekedAt > SEEK_INTERVAL_MS;
    const isDue = hasReturned || (mayMove && this.#isMisplaced(renderer));
    if (isDue && this.#followsLive && this.#steeringRate === null && !this.paused) this.#seekToLive(renderer);
    if (hasReturned) this.resume();
  }

  /** The stream has no longer what the video shows. */
  #isGone({ video: { seekable, currentTime }, windowStart }: StreamRenderer): boolean {
    return seekable.length === 0 || currentTime < Math.max(seekable.start(0), windowStart);
  }

  /** After a pause playback continues where it stopped, if that media is still there. Blocked autoplay is no pause. */
  #resumeAfterPause(renderer: StreamRenderer): void {
    const behind = (renderer.livePosition ?? 0) - renderer.video.currentTime;
    const isBehind = this.#visibility.isIdle || behind >= PAUSE_SECONDS;
    const isSeekNeeded = this.#isGone(renderer) || (this.blocked && isBehind);
    if (isSeekNeeded) this.#seekToLive(renderer);
    this.#followsLive = isSeekNeeded || (this.#followsLive && !isBehind);
  }

  #seekToLive(renderer: StreamRenderer): void {
    const { livePosition, video } = renderer;
    if (livePosition === null) return;
    this.#seekedAt = performance.now();
    this.#latencyController = new LatencyController();
    const to = Math.max(0, livePosition - this.#stalls.margin);
    if (Math.abs(to - video.currentTime) > 0.2) video.currentTime = to;
  }

  #setStreamType(type: StreamType): void {
    if (type === this.#streamType) return;
    this.#streamType = type;
    this.fire('streamtypechange');
    this.fire('targetlivewindowchange');
  }
}

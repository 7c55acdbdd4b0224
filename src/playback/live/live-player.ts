// A live stream on a page: the picture, and where it is between the past and live. Policy: it stays as far behind live as
// the manifest advises, or as it is told, plus what stalls have taught it; little is caught up with, much is jumped over;
// a visitor who has paused or gone back stays there until they go live again or the place is gone. Another stream, the
// composite say, takes over at the same moment of the manifest's clock, else at live; so does the same one under another
// address, where the first was refused and could be looked up again. Once hidden, live on return. What has ended plays from
// the first picture that there still is.
import { ownError } from '../../protocol/sign-error.ts';
import { timeRange } from '../time-range.ts';
import { CatchUp } from './catch-up.ts';
import { chooseStream } from './choose-engine.ts';
import { HiddenPage } from './hidden-page.ts';
import { isFarBehind, latencyOf, liveFrom, loadedBeyond, roomAt } from './live-edge.ts';
import type { LiveSource } from './live-source.ts';
import { Stalls } from './stalls.ts';
import type { StreamSlot } from './stream-slot.ts';
import { StreamPlayer } from './stream-player.ts';

const BEHIND_SECONDS = 2;
/** A jump that was of no use is not repeated at once. */
const JUMP_PAUSE_MS = 5000;
/** An address that is refused so soon after it was looked up again is final. */
const RENEWED_MS = 30_000;
/** What is to be loaded beyond the place where a picture comes to the front: a part, and what the next may be late. */
const ENTRY_SECONDS = 0.3;
const FRAME_SECONDS = 0.04;
/** What is as near as this is near enough, once it was placed. */
const NEAR_SECONDS = 0.3;

/** As media-chrome's controls name them. */
export type StreamType = 'live' | 'on-demand' | 'unknown';

export class LivePlayer extends StreamPlayer {
  #targetLatency: number | null = null;
  #steered: number | null = null;
  /** False for a visitor who has gone back, or has paused for long. */
  #follows = true;
  #catchUp = new CatchUp();
  #stalls = new Stalls(() => {});
  readonly #stallsOf = new WeakMap<StreamSlot, Stalls>();
  readonly #hidden = new HiddenPage(() => this.resume());
  #streamType: StreamType = 'unknown';
  #jumpedAt = -Infinity;

  /** Shows this; what is on screen stays until the new one has painted. */
  show(source: LiveSource): void {
    this.#show(source, -Infinity);
  }

  /** @param renewedAt when its address was last looked up again, by `performance.now()` */
  #show(source: LiveSource, renewedAt: number): void {
    const chosen = chooseStream(source.addresses, source.protocol);
    if (!chosen) return source.failed(ownError('media_error', 'the stream has no manifest'));
    const stalls = new Stalls((on) => source.recovering(on));
    const renew = async (signal: AbortSignal): Promise<boolean> => {
      const now = performance.now();
      if (!source.renew || now - renewedAt < RENEWED_MS) return false;
      const addresses = await source.renew(signal);
      const again = addresses && chooseStream(addresses, source.protocol);
      if (!addresses || !again || again.url === chosen.url || slot !== this.newest) return false;
      this.#show({ ...source, addresses }, now);
      return true;
    };
    const slot: StreamSlot = this.open({
      ...chosen,
      fromStart: false,
      targetLatency: this.#targetLatency,
      renew,
      painted: () => source.painted(),
      ended: () => (this.loop && this.ended ? void this.play() : source.ended()),
      recovering: (on) => stalls.broken(on),
      read: () => this.#onRead(slot),
      failed: (error) => source.failed(error),
    });
    this.#stallsOf.set(slot, stalls);
  }

  /** Jumps to live and plays. */
  goLive(): void {
    this.#follows = true;
    if (this.front) this.#jump(this.front);
    void this.play();
  }

  /** The second of the picture that shows this moment of the manifest's clock; null when it has no dates. */
  timeOf(moment: number): number | null {
    return this.front?.timeOf(moment) ?? null;
  }

  /** The moment that this second of the picture shows; null when the manifest has no dates. */
  momentOf(time: number): number | null {
    return this.front?.momentOf(time) ?? null;
  }

  /**
   * How fast it plays while somebody else says where it is to be, beside another video say; null, the default, follows
   * live.
   */
  get steered(): number | null {
    return this.#steered;
  }
  set steered(rate: number | null) {
    if (rate === this.#steered) return;
    this.#steered = rate;
    if (this.front) this.pace(this.front);
  }

  /** Seconds behind live; null before there is media, and for a stream with an end. */
  get latency(): number | null {
    return this.front && latencyOf(this.front);
  }

  /** True while the picture is where live playback is to be, within a second. */
  get isAtLive(): boolean {
    return this.currentTime >= this.liveEdgeStart;
  }

  /** Seconds behind live at which playback is to be; null follows the manifest. */
  get targetLatency(): number | null {
    return this.#targetLatency;
  }
  set targetLatency(seconds: number | null) {
    if (seconds === this.#targetLatency) return;
    this.#targetLatency = seconds;
    for (const slot of new Set([this.front, this.newest])) if (slot) slot.targetLatency = seconds;
  }

  /** The second from which on playback counts as live, the distance kept after stalls included; NaN where nothing is. */
  get liveEdgeStart(): number {
    return this.front ? Math.max(0, liveFrom(this.front) - this.#stalls.margin) : NaN;
  }

  /** The second at which live playback is to be now; NaN where nothing is live. */
  get livePosition(): number {
    return this.front?.livePosition ?? NaN;
  }

  get streamType(): StreamType {
    return this.#streamType;
  }

  override get currentTime(): number {
    return super.currentTime;
  }
  override set currentTime(time: number) {
    const { front, livePosition } = this;
    const isSteered = this.#steered !== null;
    // Who is told where to be has not gone back.
    if (!isSteered) this.#follows = front?.isLive !== true || !(time < this.liveEdgeStart);
    if (!isSteered && front && time > livePosition) this.#jump(front);
    else super.currentTime = time;
  }

  /** Live, it ends where playback is to be: others' controls go live by a jump to its end, and there must be media there. */
  override get seekable(): TimeRanges {
    const seekable = super.seekable;
    const { livePosition } = this;
    if (seekable.length === 0 || Number.isNaN(livePosition)) return seekable;
    return timeRange(Math.min(seekable.end(seekable.length - 1), livePosition), seekable.start(0));
  }

  override async play(): Promise<void> {
    const { front, seekable } = this;
    if (this.ended && seekable.length > 0) this.currentTime = seekable.start(0);
    else if (front?.isLive && this.paused && !this.held) this.#resumeAt(front);
    await super.play();
  }

  override reset(): void {
    this.#hidden.forget();
    this.#follows = true;
    this.#stalls = new Stalls(() => {});
    super.reset();
    this.#tellStreamType('unknown');
  }

  protected override get held(): boolean {
    return this.#hidden.isOn;
  }

  protected override onVisibility(hidden: boolean): void {
    if (!hidden) this.#hidden.show();
    else if (this.front && !this.paused) this.#hidden.hide(this.front);
  }

  protected override entryOf(slot: StreamSlot, tried: number): number | null {
    const { video, livePosition } = slot;
    const now = this.front?.momentOf(this.currentTime) ?? null;
    const same = now === null ? null : slot.timeOf(now);
    const { seekable } = video;
    const isKept = same !== null && seekable.length > 0 && same >= seekable.start(0);
    // Who has gone back is not brought to live by another view.
    if (isKept && !this.#follows) return Math.abs(same - video.currentTime) < NEAR_SECONDS ? null : same;
    const wanted = same !== null && loadedBeyond(video, same) > 0 ? same : livePosition;
    const entry = wanted === null ? null : roomAt(video, wanted, ENTRY_SECONDS);
    const near = tried === 0 ? FRAME_SECONDS : NEAR_SECONDS;
    return entry === null || Math.abs(entry - video.currentTime) < near ? null : entry;
  }

  protected override onFront(slot: StreamSlot, signal: AbortSignal): void {
    this.#catchUp = new CatchUp();
    this.#stalls = this.#stallsOf.get(slot)!;
    this.#stalls.watch(slot.video, signal, () => !this.paused && !this.held);
    this.#hidden.forget();
    this.#onRead(slot);
    if (document.hidden) this.onVisibility(true);
  }

  protected override onFrame(_slot: StreamSlot, second: number): void {
    this.#stalls.shown(second);
  }

  protected override rateOf(slot: StreamSlot): number {
    const { playbackRate } = this;
    const { video, targetLatency } = slot;
    const latency = latencyOf(slot);
    if (slot === this.front && this.#steered !== null) return this.#steered;
    if (slot !== this.front || latency === null || targetLatency === null) return playbackRate;
    // There is nothing to be faster with at live.
    if (playbackRate !== 1) return latency > targetLatency + 0.5 ? playbackRate : Math.min(1, playbackRate);
    if (!this.#follows) return 1;
    const target = targetLatency + this.#stalls.margin;
    const ahead = loadedBeyond(video, video.currentTime);
    return this.#catchUp.rate(latency, target, ahead, performance.now());
  }

  #onRead(slot: StreamSlot): void {
    if (slot !== this.front) return;
    this.#tellStreamType(slot.isLive === null ? 'unknown' : slot.isLive ? 'live' : 'on-demand');
    const isBack = this.#hidden.read(slot);
    const canJump = isBack || (performance.now() - this.#jumpedAt > JUMP_PAUSE_MS && isFarBehind(slot));
    if (canJump && this.#follows && this.#steered === null && !this.paused) this.#jump(slot);
    if (isBack) this.resume();
  }

  /** After a pause: where it stopped, unless that was a moment ago or is no more. What the browser held back is no pause. */
  #resumeAt(slot: StreamSlot): void {
    const { seekable, currentTime } = slot.video;
    const isGone = seekable.length === 0 || currentTime < seekable.start(0);
    const isBehind = (slot.livePosition ?? 0) - currentTime >= BEHIND_SECONDS;
    const isToJump = isGone || (this.blocked && isBehind);
    if (isToJump) this.#jump(slot);
    this.#follows = isToJump || (this.#follows && !isBehind);
  }

  #jump(slot: StreamSlot): void {
    const { livePosition, video } = slot;
    if (livePosition === null) return;
    this.#jumpedAt = performance.now();
    this.#catchUp = new CatchUp();
    const to = Math.max(0, livePosition - this.#stalls.margin);
    if (Math.abs(to - video.currentTime) > 0.2) video.currentTime = to;
  }

  #tellStreamType(type: StreamType): void {
    if (type === this.#streamType) return;
    this.#streamType = type;
    this.fire('streamtypechange');
    this.fire('targetlivewindowchange');
  }
}

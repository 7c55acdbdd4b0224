// One `<video>` with a tape that has no end: the loop is written behind itself for as long as it plays, so that a
// round joins the next like any two frames.
// - A round, and 4 s at least, are written ahead; rounds that were played are taken out.
// - Another loop is written over the one that plays from its next rest point on, without a seek, half a second ahead
//   at least.
// - While nothing plays it takes its place at once.
// - What the browser has let go by itself, as an iPhone short of memory does, is written anew where the video waits
//   for it.
// - Whatever fails is told, never thrown.
import type { JoinedLoop } from './silence-loop.ts';
import type { SourceBufferQueue } from '../source-buffer-queue.ts';

/** Seconds by which times of frames and rounds may differ: rounding, much less than a frame. */
const ROUNDING = 0.004;
const LEAST_AHEAD = 4;
/** Seconds of playing that it may take to write what follows a rest point. */
const LEAD = 0.5;
/** Seconds by which a busy machine may decode behind the video's clock: taken away there, it would stand for good. */
const BEHIND = 2;
/** Seconds, a frame of 10 frames a second: browsers differ by less in where they say that media begins. */
const FRAME = 0.1;

/** Once round the loop; seconds of the tape. Cut short where another loop follows at a rest point. */
export interface Round {
  readonly loop: JoinedLoop;
  readonly start: number;
  readonly end: number;
}

export class SilenceTape {
  readonly #video: HTMLVideoElement;
  readonly #line: SourceBufferQueue;
  readonly #failed: (error: unknown) => void;
  #rounds: readonly Round[] = [];
  #wanted: JoinedLoop;
  #working = false;
  /** The video has said so, and not been looked at since. */
  #waits = false;
  #over = false;

  /** `line` is the video's own. `failed` is told once. */
  constructor(
    video: HTMLVideoElement,
    line: SourceBufferQueue,
    loop: JoinedLoop,
    failed: (error: unknown) => void,
  ) {
    this.#video = video;
    this.#line = line;
    this.#wanted = loop;
    this.#failed = failed;
    this.keepUp();
  }

  /** The round on screen; null before anything is written. */
  get round(): Round | null {
    return this.#roundAt(this.#video.currentTime);
  }

  /** This loop takes over where the one that plays is next at rest. */
  change(loop: JoinedLoop): void {
    this.#wanted = loop;
    this.keepUp();
  }

  /** Writes what is missing and takes out what was played; to be called as the video goes on. */
  keepUp(): void {
    if (!this.#working && !this.#over) void this.#work();
  }

  /** To be called when the video waits for media. */
  wait(): void {
    this.#waits = true;
    this.keepUp();
  }

  end(): void {
    this.#over = true;
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      for (let step = this.#next(); step; step = this.#next()) await step;
    } catch (error) {
      if (!this.#over) this.#failed(error);
      this.#over = true;
    }
    this.#working = false;
  }

  /** The next step, under way; null when all is as it should be, or over. */
  #next(): Promise<void> | null {
    if (this.#over) return null;
    const { currentTime: now, paused, playbackRate } = this.#video;
    const last = this.#rounds.at(-1);
    if (!last) return this.#write(0);
    const waited = this.#waits;
    this.#waits = false;
    if (waited && !this.#isHere(now)) return this.#writeAnew(now);
    if (last.loop !== this.#wanted) {
      return this.#cut(paused ? now : this.#restAfter(now + LEAD * playbackRate), paused);
    }
    if (last.end - now < Math.max(LEAST_AHEAD, last.loop.durationSeconds)) return this.#write(last.end);
    const round = this.#roundAt(now - BEHIND);
    if (round && round !== this.#rounds[0]) return this.#dropBefore(round);
    return null;
  }

  async #write(start: number): Promise<void> {
    const loop = this.#wanted;
    // The first of its films is on screen before the last is written.
    this.#rounds = [...this.#rounds, { loop, start, end: start + loop.durationSeconds }];
    let end = start;
    for (const film of loop.films) {
      await this.#line.append(film, end);
      end += film.durationSeconds;
    }
  }

  /** Nothing is played from second `at` on but what is written now. */
  async #cut(at: number, show: boolean): Promise<void> {
    await this.#line.remove(Math.max(0, at - ROUNDING), Infinity);
    this.#rounds = this.#rounds
      .filter(({ start }) => start < at - ROUNDING)
      .map((round) => ({ ...round, end: Math.min(round.end, at) }));
    await this.#write(at);
    // A picture that stands is replaced by going there.
    if (show && this.#video.paused) this.#video.currentTime = at;
  }

  #isHere(time: number): boolean {
    const { buffered } = this.#video;
    for (let n = 0; n < buffered.length; n++) {
      if (buffered.start(n) <= time + FRAME && buffered.end(n) > time) return true;
    }
    return false;
  }

  /** Chromium reads on behind a hole only when it is sent there. */
  async #writeAnew(at: number): Promise<void> {
    await this.#line.remove(0, Infinity);
    this.#rounds = [];
    await this.#write(at);
    this.#video.currentTime = at;
  }

  async #dropBefore(round: Round): Promise<void> {
    await this.#line.remove(0, round.start - ROUNDING);
    this.#rounds = this.#rounds.slice(this.#rounds.indexOf(round));
  }

  #restAfter(time: number): number {
    for (const { loop, start, end } of this.#rounds) {
      const point = loop.restPoints.find((at) => start + at >= time && start + at < end);
      if (point !== undefined) return start + point;
    }
    return this.#rounds.at(-1)?.end ?? 0;
  }

  #roundAt(time: number): Round | null {
    return this.#rounds.findLast(({ start }) => start <= time + ROUNDING) ?? this.#rounds[0] ?? null;
  }
}

// Makes the parts of one growing stream from texts: paints the frames that are due, encodes them and cuts them into parts. The
// caller passes in the time, the encoder and the painter, so no timer is needed.
// - Five frames are painted together when the last of them is due, and never earlier. A part is not visible before it is complete,
//   and a text that arrives meanwhile is signed from its first frame.
// - An ongoing stream that is late (FrameSchedule) closes its segment and jumps; no frame of a text is lost. A job skips nothing
//   and encodes faster instead. Its time begins with its first text, and it ends after its last text.
// - A playlist may have announced a part that has no frame yet, so one more frame is painted into it before an end or a jump.
// - After a segment that is closed early a new encoder is opened, so that the next one begins with a key frame.
// - The first segment of a stream with parts is 0.8 s long: players want one whole segment before they begin, and three parts
//   ahead to go on without a stall. An ongoing stream opens as if it had been at rest for 0.8 s.
import type { SampleDescription } from '../media/codecs.ts';
import type { Paint, Sample } from '../media/video-encoder.ts';
import type { Picture } from '../painter/picture.ts';
import type { Script } from '../painter/script.ts';
import { fragment, initSegment } from './fmp4.ts';
import { FrameSchedule, ScriptQueue } from './frame-queue.ts';
import { PartCutter, type CutPart } from './part-cutter.ts';
import { secondsOf } from './segment-window.ts';
import { hasParts, PART_FRAMES, type StreamReport, type StreamSpec } from './stream-spec.ts';
import { TransportStream } from './transport-stream.ts';

/** Frames of the first segment of a stream with parts. They must last less than the delay with which a stream counts as late. */
const OPENING_FRAMES = 20;

/** Late batches that are painted one after another before it is the turn of other streams. */
const MOST_AT_ONCE = 5;

/** The video encoder that it uses. */
export interface FrameEncoder {
  readonly description: SampleDescription;
  encode(paint: Paint): Sample[];
  flush(): Sample[];
  close(): void;
}

export interface StreamTools {
  openEncoder(): FrameEncoder;
  /** @param at place of the frame on the timeline */
  paint(picture: Picture, script: Script, frame: number, at: number): void;
}

interface Running {
  readonly schedule: FrameSchedule;
  readonly transport: TransportStream | null;
  encoder: FrameEncoder;
}

export class StreamEncoder {
  readonly #spec: StreamSpec;
  readonly #tools: StreamTools;
  readonly #report: (report: StreamReport) => void;
  readonly #queue = new ScriptQueue();
  readonly #cutter: PartCutter;
  /** Positions on the timeline of the frames that the encoder has taken and not yet returned. */
  readonly #coding: number[] = [];
  #running: Running | null = null;
  #painted = 0;
  #fragments = 0;
  #ending = false;
  #ended = false;

  /** @param now milliseconds since 1970; an ongoing stream begins with it */
  constructor(spec: StreamSpec, now: number, tools: StreamTools, report: (report: StreamReport) => void) {
    this.#spec = spec;
    this.#tools = tools;
    this.#report = report;
    this.#cutter = new PartCutter(spec);
    if (spec.kind === 'ongoing') this.#begin(hasParts(spec) ? now - secondsOf(OPENING_FRAMES) * 1000 : now);
  }

  /** When its next frame is shown, milliseconds since 1970; null while there is nothing to do. */
  get nextAt(): number | null {
    return this.#running?.schedule.dueOf(1) ?? null;
  }

  /** When something must be done next, milliseconds since 1970; null when nothing must. */
  get nextDue(): number | null {
    return this.#running ? this.#running.schedule.dueOf(this.#batch) : null;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  sign(script: Script, now: number): void {
    // Frames that were due before the text came do not show it.
    if (this.#spec.kind === 'ongoing') this.advance(now);
    if (this.#ended) return;
    this.#queue.add(script);
    if (!this.#running) this.#begin(now);
  }

  /** Signs what is queued, then ends. */
  end(): void {
    this.#ending = true;
    if (!this.#running) this.#finish();
  }

  /** Ends with the next frame. */
  stop(): void {
    this.#queue.clear();
    this.end();
  }

  /** Does what is due at `now`. @throws Error when the encoder refuses, with the message of the encoder */
  advance(now: number): void {
    const running = this.#running;
    if (!running) return;
    const { schedule } = running;
    // The opening frames of an ongoing stream are always late.
    const mayJump = this.#spec.kind === 'ongoing' && this.#painted >= OPENING_FRAMES;
    if (mayJump && schedule.isLate(now)) {
      this.#paint(running, { jumps: true });
      schedule.skipTo(now);
    }
    for (
      let batches = 0;
      batches < MOST_AT_ONCE && !this.#ended && now >= schedule.dueOf(this.#batch);
      batches++
    ) {
      for (let left = this.#batch; left > 0 && !this.#ended; left--) this.#paint(running);
    }
  }

  /** Frees the encoder; nothing is reported after it. */
  close(): void {
    this.#ended = true;
    this.#running?.encoder.close();
    this.#running = null;
  }

  /** Number of frames that are painted together next: the rest of the part, or a piece of it where parts are long. */
  get #batch(): number {
    return Math.min(this.#cutter.left, PART_FRAMES);
  }

  #begin(origin: number): void {
    const encoder = this.#tools.openEncoder();
    const transport = this.#spec.segmentType === 'ts' ? new TransportStream(encoder.description) : null;
    this.#running = { schedule: new FrameSchedule(origin), transport, encoder };
    const { width, height } = this.#spec.style;
    const init = initSegment({ ...encoder.description, width, height });
    this.#report({ kind: 'opened', init, codec: encoder.description.codec, origin });
  }

  /** Paints the next frame. With `jumps` the following frame has a later time, so this one ends its segment. */
  #paint(running: Running, { jumps = false } = {}): void {
    const { schedule, encoder } = running;
    const { script, frame, begins } = this.#queue.next();
    const at = schedule.next;
    this.#coding.push(at);
    schedule.advance();
    this.#painted += 1;
    const samples = encoder.encode((picture) => this.#tools.paint(picture, script, frame, at));
    const isLast = (this.#ending || this.#spec.kind === 'job') && this.#queue.isQuiet;
    const closes = isLast || jumps || (hasParts(this.#spec) && this.#painted === OPENING_FRAMES);
    if (closes) samples.push(...encoder.flush());
    for (const [i, sample] of samples.entries()) {
      const place = this.#coding.shift();
      if (place === undefined) throw new Error('the encoder gave more frames than it got');
      const isNewest = i === samples.length - 1;
      const part = this.#cutter.add(sample, place, closes && isNewest);
      if (part) this.#give(part, running, isLast && isNewest);
    }
    if (begins) this.#report({ kind: 'begun' });
    if (isLast) return this.#finish();
    if (!closes) return;
    encoder.close();
    running.encoder = this.#tools.openEncoder();
  }

  #give(cut: CutPart, { transport }: Running, isLast: boolean): void {
    const { segment, from, samples, endsSegment, discontinuity } = cut;
    const part = {
      segment,
      from,
      frames: samples.length,
      independent: samples[0]!.key,
      bytes: fragment(++this.#fragments, from, samples),
      ts: transport?.write(from, samples) ?? null,
      endsSegment,
      discontinuity,
    };
    this.#report({ kind: 'part', part, isLast });
  }

  #finish(): void {
    if (this.#ended) return;
    this.close();
    this.#report({ kind: 'ended', problem: null });
  }
}

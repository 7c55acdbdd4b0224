// The video track of a file: its codec string (RFC 6381), and the samples of it that are shown.
// - One video track is read, wherever the index is. The samples of `moov` and then those of the fragments are one list.
// - The codec follows from the sample entry (ISO 14496-12, 8.5.2; 14496-15, annex E; AV1 and VP9 bindings): H.264, H.265, VP9
//   or AV1. Encrypted tracks and tracks with several sample descriptions are unsupported.
// - An edit list (8.6.6) may have one edit at normal speed; an empty edit, which only delays the video against the sound, is
//   ignored. The first frame that is shown has time 0; frames before it that would be decoded and not shown are unsupported.
// - Frames after the edit are left out when no shown frame is decoded later. A frame that is cut by up to 0.125 s is shown whole.
import {
  assertValid,
  findBox,
  requireBox,
  nextBox,
  readType,
  readUint64,
  RemuxError,
  assertSupported,
  within,
} from './boxes.ts';
import {
  defaultsOf,
  readFragment,
  type SampleDefaults,
  readSampleTable,
  checkRowIndex,
  SampleList,
  type SampleVisitor,
} from './samples.ts';

/** In ticks of the track; the end is exclusive and may be infinite. */
interface TickRange {
  readonly start: number;
  readonly end: number;
}

export interface Mp4Track {
  /** `avc1.42c01f`, say. */
  readonly codec: string;
  /** Ticks a second. */
  readonly timescale: number;
  /** Bytes of the file: the transformation matrix, then the presentation width and height. */
  readonly presentation: DataView;
  /** Neither turned nor mirrored, by the matrix of the movie and of the track (8.2.2, 8.3.2). */
  readonly upright: boolean;
  readonly hasSound: boolean;
  /** Bytes of the file. */
  readonly stsd: DataView;
  /** The part that the edit list shows. */
  readonly editedTicks: TickRange;
  /** Visits all samples in decoding order; each call reads the file again. @throws RemuxError */
  readonly eachSample: (visit: SampleVisitor) => void;
}

/** Length of the matrix, width and height that end a `tkhd`. */
const PRESENTATION_BYTES = 44;

const isWide = (header: DataView): boolean => header.getUint8(0) === 1;

/** The field after the two dates of a header: the timescale of `mvhd` and `mdhd`, the id of `tkhd`. */
const fieldAfterDates = (header: DataView): number => header.getUint32(isWide(header) ? 20 : 12);

/** @param at where a matrix starts */
function isUpright(header: DataView, at: number): boolean {
  const [a, b, , c, d] = [0, 4, 8, 12, 16].map((field) => header.getInt32(at + field));
  return a! > 0 && b === 0 && c === 0 && d! > 0;
}

/** Why a track is refused: Chromium 156 would show one tick of such a file each second, for hours. */
export const NO_TIMESCALE = 'no timescale';

function timescaleOf(header: DataView, problem: string): number {
  const timescale = fieldAfterDates(header);
  assertValid(timescale > 0, problem);
  return timescale;
}

/** The first track of this kind (`vide`, `soun`) that is enabled, else the first one, as Chromium 156 does. */
function findTrack(moov: DataView, kind: string, enabled: 0 | 1 = 1): DataView | undefined {
  for (let box = nextBox(moov, 'trak'); box; box = nextBox(moov, 'trak', box.end)) {
    const isKind = readType(requireBox(box.content, 'mdia', 'hdlr'), 8) === kind;
    if (isKind && (requireBox(box.content, 'tkhd').getUint8(3) & 1) >= enabled) return box.content;
  }
  return enabled ? findTrack(moov, kind, 0) : undefined;
}

/** @throws RemuxError */
export function openTrack(file: Uint8Array): Mp4Track {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const moov = requireBox(view, 'moov');
  const trak = findTrack(moov, 'vide');
  if (!trak) throw new RemuxError('unsupported', 'no video track');
  const tkhd = requireBox(trak, 'tkhd');
  const stbl = requireBox(trak, 'mdia', 'minf', 'stbl');
  const stsd = requireBox(stbl, 'stsd');
  const timescale = timescaleOf(requireBox(trak, 'mdia', 'mdhd'), NO_TIMESCALE);
  const mvhd = requireBox(moov, 'mvhd');
  const ticksPerMovieTick = timescale / timescaleOf(mvhd, '');
  const start = isWide(tkhd) ? 52 : 40;
  return {
    codec: codecOf(stsd),
    timescale,
    presentation: within(tkhd, start, start + PRESENTATION_BYTES),
    upright: isUpright(mvhd, isWide(mvhd) ? 48 : 36) && isUpright(tkhd, start),
    hasSound: findTrack(moov, 'soun') !== undefined,
    stsd,
    editedTicks: editedTicksOf(findBox(trak, 'edts', 'elst'), ticksPerMovieTick),
    eachSample(visit) {
      const samples = new SampleList(file.length, visit);
      readSampleTable(stbl, samples);
      const track = fieldAfterDates(tkhd);
      let defaults: SampleDefaults | null = null;
      for (let box = nextBox(view, 'moof'); box; box = nextBox(view, 'moof', box.end)) {
        defaults ??= defaultsOf(requireBox(moov, 'mvex'), track);
        readFragment(box, track, defaults, samples);
      }
    },
  };
}

const NO_MEDIA = -1;
const NORMAL_SPEED = 0x10000;

/** @param ticksPerMovieTick the durations of edits are in ticks of the movie */
function editedTicksOf(elst: DataView | undefined, ticksPerMovieTick: number): TickRange {
  let edited: TickRange | null = null;
  const count = elst?.getUint32(4) ?? 0;
  const wide = elst?.getUint8(0) === 1;
  for (let i = 0, at = 8; elst && i < count; i++, at += wide ? 20 : 12) {
    checkRowIndex(i);
    const time = at + (wide ? 8 : 4);
    const start = wide && elst.getInt32(time) >= 0 ? readUint64(elst, time) : elst.getInt32(time);
    if (start === NO_MEDIA) continue;
    assertSupported(!edited && start >= 0 && elst.getUint32(time + (wide ? 8 : 4)) === NORMAL_SPEED, 'edits');
    const length = wide ? readUint64(elst, at) : elst.getUint32(at);
    // An edit of duration 0 lasts to the end: the writer did not know the duration.
    edited = { start, end: length ? start + length * ticksPerMovieTick : Infinity };
  }
  return edited ?? { start: -Infinity, end: Infinity };
}

export interface SampleRange {
  /** Number of samples, from the first one of the track. */
  readonly count: number;
  /** Bytes of these samples. */
  readonly bytes: number;
  /** Decode time of the first sample, in ticks. */
  readonly decodeStart: number;
  /** Presentation start of the first shown frame and end of the last one, in ticks. */
  readonly start: number;
  readonly end: number;
  /** Presentation starts of the six frames that are decoded last, in ticks. */
  readonly lastFrames: readonly number[];
  /** Sum of all durations in ticks. */
  readonly ticks: number;
  /** Duration of every sample in ticks; null when they differ. */
  readonly duration: number | null;
  /** True when every sample is a sync sample. */
  readonly allSync: boolean;
  /** Ticks from the first decode time to `start`, when decoding is early enough that no frame is shown before it is decoded. */
  readonly delay: number;
  /** True when presentation order differs from decoding order. */
  readonly reordered: boolean;
}

/** Seconds: a frame at 8 frames a second. */
const MOST_CUT = 0.125;
/** More frames than a decoder keeps back. */
const LAST_FRAMES = 6;

/** Reads the whole track once, and allocates next to nothing. @throws RemuxError */
export function sampleRangeOf({ eachSample, editedTicks, timescale }: Mp4Track): SampleRange {
  let [count, bytes, ticks, decodeStart, firstOffset] = [0, 0, 0, 0, 0];
  let [start, end, firstShown, leastOffset] = [Infinity, -Infinity, -Infinity, Infinity];
  let duration: number | null = null;
  let [isConstant, allSync, reordered, ended] = [true, true, false, false];
  let edited = editedTicks;
  const lastFrames: number[] = [];
  eachSample((sample) => {
    const { presentationTime, decodeTime } = sample;
    const offset = presentationTime - decodeTime;
    if (count === 0) edited = { start: editedTicks.start - sample.base, end: editedTicks.end - sample.base };
    if (presentationTime >= edited.end) {
      ended = true;
      return;
    }
    assertSupported(!ended, 'a late end');
    lastFrames[count % LAST_FRAMES] = presentationTime;
    ticks += sample.duration;
    if (count++ === 0) {
      assertSupported(sample.sync, 'no first frame');
      [decodeStart, duration, firstOffset] = [decodeTime, sample.duration, offset];
    }
    bytes += sample.size;
    allSync &&= sample.sync;
    isConstant &&= sample.duration === duration;
    if (presentationTime < start) start = presentationTime;
    if (presentationTime + sample.duration > end) end = presentationTime + sample.duration;
    if (presentationTime <= edited.start && presentationTime > firstShown) firstShown = presentationTime;
    if (offset < leastOffset) leastOffset = offset;
    reordered ||= offset !== firstOffset;
  });
  assertValid(count > 0, 'no frame');
  assertSupported(firstShown <= start, 'hidden frames');
  const wanted = ended ? edited.end : Math.min(edited.end, end);
  const cut = Math.max(edited.start - start, Math.abs(end - wanted));
  assertSupported(cut <= MOST_CUT * timescale, 'a cut frame');
  return {
    count,
    bytes,
    decodeStart,
    start,
    end,
    lastFrames,
    ticks,
    duration: isConstant ? duration : null,
    allSync,
    delay: start - decodeStart - leastOffset,
    reordered,
  };
}

/** Second at which a fragment begins to be decoded. */
export const DECODE_START = 1;

/** Times of a clip, computed from its frames. */
export interface FrameTimes {
  /** From 0 to the end of the last frame. */
  readonly durationSeconds: number;
  /** Sum of the durations of its frames in decoding order. It differs where the times of reordered frames are uneven. */
  readonly decodedSeconds: number;
  /** Second from which only frames are shown that a decoder may keep back until it is told that nothing follows. */
  readonly lastFramesAt: number;
  /** Second at which the last frame is shown. */
  readonly lastFrameAt: number;
  readonly frames: number;
  /** Presentation time of the first frame in the fragment. */
  readonly firstFrameAt: number;
}

export const frameTimesOf = (range: SampleRange, timescale: number): FrameTimes => ({
  durationSeconds: (range.end - range.start) / timescale,
  decodedSeconds: range.ticks / timescale,
  lastFramesAt: (Math.min(...range.lastFrames) - range.start) / timescale,
  lastFrameAt: (Math.max(...range.lastFrames) - range.start) / timescale,
  frames: range.count,
  firstFrameAt: DECODE_START + range.delay / timescale,
});

/** Length of the fields of a visual sample entry; the boxes that describe the codec follow. */
const ENTRY_FIELDS = 78;

const hex = (value: number): string => value.toString(16).padStart(2, '0');
const two = (value: number): string => String(value).padStart(2, '0');

const avc = (avcC: DataView): string => [1, 2, 3].map((at) => hex(avcC.getUint8(at))).join('');

function hevc(hvcC: DataView): string {
  const profile = hvcC.getUint8(1);
  // The codec string has the compatibility flags in reverse order.
  let compatible = 0;
  for (let bit = 0; bit < 32; bit++) compatible = compatible * 2 + ((hvcC.getUint32(2) >>> bit) & 1);
  const constraints = [6, 7, 8, 9, 10, 11].map((at) => hvcC.getUint8(at));
  while (constraints.at(-1) === 0) constraints.pop();
  return [
    `${['', 'A', 'B', 'C'][profile >> 6]}${profile & 31}`,
    compatible.toString(16),
    `${profile & 32 ? 'H' : 'L'}${hvcC.getUint8(12)}`,
    ...constraints.map((byte) => byte.toString(16)),
  ].join('.');
}

const vp9 = (vpcC: DataView): string =>
  [vpcC.getUint8(4), vpcC.getUint8(5), vpcC.getUint8(6) >> 4].map(two).join('.');

function av1(av1C: DataView): string {
  const [profile, depth] = [av1C.getUint8(1), av1C.getUint8(2)];
  const bits = depth & 64 ? (depth & 32 ? 12 : 10) : 8;
  return `${profile >> 5}.${two(profile & 31)}${depth & 128 ? 'H' : 'M'}.${two(bits)}`;
}

/** The box that describes the codec, and its codec string, by the type of the sample entry. */
const codecs: Readonly<Record<string, readonly [box: string, toString: (box: DataView) => string]>> = {
  avc1: ['avcC', avc],
  avc3: ['avcC', avc],
  hvc1: ['hvcC', hevc],
  hev1: ['hvcC', hevc],
  vp09: ['vpcC', vp9],
  av01: ['av1C', av1],
};

/** @throws RemuxError */
function codecOf(stsd: DataView): string {
  assertSupported(stsd.getUint32(4) === 1, 'several sample descriptions');
  const size = stsd.getUint32(8);
  const type = readType(stsd, 12);
  const found = Object.hasOwn(codecs, type) ? codecs[type] : undefined;
  if (!found) throw new RemuxError('unsupported', `codec ${type}`);
  const [box, toString] = found;
  const entry = within(stsd, 16, 8 + size);
  return `${type}.${toString(requireBox(within(entry, ENTRY_FIELDS), box))}`;
}

// Writes painted frames into the files of a spec: one file, by mediabunny, or MPEG-TS segments.
// - The index of MP4 and QuickTime comes first, so that a clip plays while it loads; a `segment` is one fragment with its
//   init in the same file.
// - An MPEG-TS segment begins with a key frame and has whole frames; times and counters continue from the segment before.
// - A file that grows above 256 MB causes an error, so that it does not fill the memory.
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type IsobmffOutputFormatOptions,
  type OutputFormat,
  type VideoCodec,
  WebMOutputFormat,
} from 'mediabunny';
import type { Picture } from '../painter/picture.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import { TransportStream } from '../streams/transport-stream.ts';
import type { SampleDescription } from './codecs.ts';
import { withIndex } from './mp4-index.ts';
import type { Codec, Container, Encoding, FrameOrder, MediaSpec } from './media-spec.ts';
import { VideoEncoder, type Sample } from './video-encoder.ts';

/** Containers of one file. */
type SingleFile = Exclude<Container, 'ts'>;

const trackCodecs: Readonly<Record<Codec, VideoCodec>> = {
  h264: 'avc',
  h265: 'hevc',
  vp9: 'vp9',
  av1: 'av1',
  prores: 'prores',
};

const formats: Readonly<Record<SingleFile, () => OutputFormat>> = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  mov: () => new MovOutputFormat({ fastStart: 'in-memory' }),
  webm: () => new WebMOutputFormat(),
  segment: () => new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: Infinity }),
};

const indexOptions = {
  behind: { fastStart: false },
  fragments: { fastStart: 'fragmented', minimumFragmentDuration: 0 },
} as const satisfies Record<NonNullable<Encoding['index']>, IsobmffOutputFormatOptions>;

/** Second at which a frame is shown. For the number behind the last frame it is the end. */
export function secondsAt(frame: number, { frames_per_second, hold }: Encoding = {}): number {
  const held = hold && frame > hold.frame ? hold.seconds : 0;
  return frame / (frames_per_second ?? FRAMES_PER_SECOND) + held;
}

/** The one track of a file. */
interface Track extends SampleDescription {
  readonly width: number;
  readonly height: number;
  readonly track: Codec;
}

/** One file of these frames. */
async function writeFile(
  container: SingleFile,
  { codec, description, width, height, track }: Track,
  samples: readonly Sample[],
  encoding?: Encoding,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const format = encoding?.index ? new Mp4OutputFormat(indexOptions[encoding.index]) : formats[container]();
  const output = new Output({ format, target });
  const source = new EncodedVideoPacketSource(trackCodecs[track]);
  // The muxer rounds times to the frames of a rate.
  const isSteady = !encoding?.hold && !encoding?.frames_per_second;
  const sound = encoding?.sound && new SilentSound();
  if (sound && encoding.sound.track === 'first') output.addAudioTrack(sound.source);
  output.addVideoTrack(source, {
    ...(isSteady && { frameRate: FRAMES_PER_SECOND }),
    ...(encoding?.rotation && { rotation: encoding.rotation }),
  });
  if (sound && encoding.sound.track === 'second') output.addAudioTrack(sound.source);
  await output.start();
  const decoderConfig = {
    codec,
    codedWidth: width,
    codedHeight: height,
    ...(description.length > 0 && { description }),
    colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const,
  };
  const soundEnd = secondsAt(samples.length, encoding) + (encoding?.sound?.longer_seconds ?? 0);
  for (const { data, key, alpha, shown } of samples) {
    const time = secondsAt(shown, encoding);
    const length = secondsAt(shown + 1, encoding) - time;
    const sideData = alpha ? { alpha } : {};
    const packet = new EncodedPacket(data, key ? 'key' : 'delta', time, length, -1, undefined, sideData);
    await source.add(packet, { decoderConfig });
    await sound?.fillTo(Math.min(time + length, soundEnd));
  }
  await sound?.fillTo(soundEnd);
  await output.finalize();
  if (!target.buffer) throw new Error('the muxer gave no file');
  const file = new Uint8Array(target.buffer);
  const { ticks, edit, offsets, entry } = encoding ?? {};
  return ticks || edit || offsets || entry ? withIndex(file, encoding!) : file;
}

/** Seconds between key frames of a file without segments: the default of common encoders. */
const KEY_SECONDS = 10;
const MOST_BYTES = 256 * 1024 * 1024;

/** The fields of a spec that decide how frames are coded and written into files. */
type FileSpec = Pick<
  MediaSpec,
  'codec' | 'container' | 'bitsPerSecond' | 'segmentSeconds' | 'style' | 'encoding'
>;

/**
 * Paints, encodes and writes.
 * @param paint called once a frame, in order, with the frame's number
 * @param order order of the frames of H.264 in MP4 or QuickTime, unless `encoding` names another
 * @returns the files, one unless the container is `ts`
 * @throws Error when the encoder refuses, with the message of the encoder
 */
export async function encodeFiles(
  { codec, container, bitsPerSecond, segmentSeconds, style, encoding }: FileSpec,
  frames: number,
  paint: (picture: Picture, frame: number) => void,
  order: FrameOrder = 'b_frames',
): Promise<Uint8Array[]> {
  const { width, height, backdrop } = style;
  const keyEvery = encoding?.key_every ?? Math.round((segmentSeconds ?? KEY_SECONDS) * FRAMES_PER_SECOND);
  const alpha = backdrop === 'transparent';
  const canReorder = codec === 'h264' && (container === 'mp4' || container === 'mov');
  const encoder = new VideoEncoder({
    width,
    height,
    codec,
    alpha,
    bitsPerSecond,
    keyEvery,
    order: canReorder ? (encoding?.order ?? order) : 'as_shown',
    ...(encoding?.pixels && { widePixels: true }),
  });
  // An index has the durations of the frames in coding order, so the last frame can be held only if it is also coded last.
  const beforeHeld = encoding?.hold?.frame === frames - 1 ? frames - 2 : -1;
  const samples: Sample[] = [];
  let bytes = 0;
  const keep = (coded: readonly Sample[]): void => {
    for (const sample of coded) bytes += sample.data.length + (sample.alpha?.length ?? 0);
    if (bytes > MOST_BYTES) throw new Error('a file of more than 256 MB');
    samples.push(...coded);
  };
  try {
    for (let frame = 0; frame < frames; frame++) {
      keep(encoder.encode((picture) => paint(picture, frame), { isInDisplayOrder: frame === beforeHeld }));
    }
    keep(encoder.flush());
  } finally {
    encoder.close();
  }
  const { description } = encoder;
  if (container !== 'ts') {
    const written = encoding?.order === 'refresh' ? fromSecondKey(samples) : samples;
    return [await writeFile(container, { ...description, width, height, track: codec }, written, encoding)];
  }
  const transport = new TransportStream(description);
  const files: Uint8Array[] = [];
  for (let from = 0; from < samples.length; from += keyEvery) {
    files.push(transport.write(from, samples.slice(from, from + keyEvery)));
  }
  return files;
}

/** The samples from the second key frame on, with display positions that begin at 0. */
function fromSecondKey(samples: readonly Sample[]): Sample[] {
  const first = samples.findIndex(({ key }, at) => at > 0 && key);
  return samples.slice(first).map((sample) => ({ ...sample, shown: sample.shown - first }));
}

const SAMPLE_RATE = 48_000;
/** Samples of one packet. */
const PACKET_SAMPLES = 1024;
/** One channel without a scale factor (ISO 14496-3, 4.4.2.1); all packets are the same. */
const PACKET = Uint8Array.of(0x00, 0xc8, 0x00, 0x80, 0x23, 0x80);
/** AudioSpecificConfig: object type 2, frequency index 3, one channel (ISO 14496-3, 1.6.2.1). */
const DESCRIPTION = Uint8Array.of(0x11, 0x88);

const soundConfig = {
  codec: 'mp4a.40.2',
  sampleRate: SAMPLE_RATE,
  numberOfChannels: 1,
  description: DESCRIPTION,
};

/** A sound track in which nothing is heard: AAC-LC, 48 kHz, one channel. */
class SilentSound {
  readonly source = new EncodedAudioPacketSource('aac');
  #written = 0;

  /** Adds whole packets until the track reaches this second. */
  async fillTo(seconds: number): Promise<void> {
    const length = PACKET_SAMPLES / SAMPLE_RATE;
    for (; (this.#written + 1) * length <= seconds; this.#written++) {
      const packet = new EncodedPacket(PACKET, 'key', this.#written * length, length);
      await this.source.add(packet, { decoderConfig: soundConfig });
    }
  }
}

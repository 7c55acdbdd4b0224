// Reads a media file with FFmpeg's demuxers and decoders, into the fields that ffprobe prints.
// - FFmpeg runs in this process, because each start of ffprobe takes a quarter of a second of a core.
// - It reads a file, because it cannot know the length of a stream.
// - The file is removed at once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_PRORES,
  AV_CODEC_ID_VP9,
  AV_LOG_ERROR,
  AV_PROFILE_AV1_MAIN,
  AV_PROFILE_H264_BASELINE,
  AV_PROFILE_H264_CONSTRAINED,
  AV_PROFILE_H264_HIGH,
  AV_PROFILE_H264_MAIN,
  AV_PROFILE_HEVC_MAIN,
  AV_PROFILE_PRORES_4444,
  AV_PROFILE_VP9_0,
  AVCOL_SPC_BT709,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  avGetCodecName,
  avGetMediaTypeString,
  avGetPixFmtName,
  Codec,
  CodecContext,
  FFmpegError,
  FormatContext,
  Frame,
  Log,
  Packet,
  type Stream,
} from 'node-av/lib';

Log.setLevel(AV_LOG_ERROR);

/** The fields as ffprobe writes them, with seconds and counts as strings. */
export interface ProbedStream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly codec_tag_string: string;
  /** The name of the profile, or the number of one that has no name here. */
  readonly profile: string;
  /** Frames that a decoder holds back. */
  readonly has_b_frames: number;
  readonly pix_fmt: string;
  readonly width: number;
  readonly height: number;
  readonly color_space: string;
  /** The aspect ratio of a pixel, such as `4:3`. */
  readonly sample_aspect_ratio: string;
  readonly r_frame_rate: string;
  readonly start_time: string;
  readonly duration: string;
  /** Frames that were decoded. */
  readonly nb_read_frames: string;
  readonly tags: Readonly<Record<string, string>>;
}

interface Probed {
  readonly streams: readonly ProbedStream[];
  readonly format: { readonly format_name: string; readonly start_time: string; readonly duration: string };
}

const profiles: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  [AV_CODEC_ID_H264]: {
    [AV_PROFILE_H264_BASELINE]: 'Baseline',
    [AV_PROFILE_H264_BASELINE | AV_PROFILE_H264_CONSTRAINED]: 'Constrained Baseline',
    [AV_PROFILE_H264_MAIN]: 'Main',
    [AV_PROFILE_H264_HIGH]: 'High',
  },
  [AV_CODEC_ID_HEVC]: { [AV_PROFILE_HEVC_MAIN]: 'Main' },
  [AV_CODEC_ID_VP9]: { [AV_PROFILE_VP9_0]: 'Profile 0' },
  [AV_CODEC_ID_AV1]: { [AV_PROFILE_AV1_MAIN]: 'Main' },
  [AV_CODEC_ID_PRORES]: { [AV_PROFILE_PRORES_4444]: '4444' },
};

/** Decodes packets and counts the frames. */
class FrameCounter {
  readonly #context = new CodecContext();
  readonly #frame = new Frame();
  count = 0;

  constructor({ codecpar, timeBase }: Stream) {
    const codec = Codec.findDecoder(codecpar.codecId);
    this.#context.allocContext3(codec);
    FFmpegError.throwIfError(this.#context.parametersToContext(codecpar), 'take the parameters');
    this.#context.pktTimebase = timeBase;
    this.#context.threadCount = 1;
    FFmpegError.throwIfError(this.#context.open2Sync(codec), 'open decoder');
    this.#frame.alloc();
  }

  /** @param packet null after the last one */
  add(packet: Packet | null): void {
    FFmpegError.throwIfError(this.#context.sendPacketSync(packet), 'decode');
    for (; this.#context.receiveFrameSync(this.#frame) >= 0; this.#frame.unref()) this.count += 1;
  }

  free(): void {
    this.#frame.free();
    this.#context.freeContext();
  }
}

/** Decodes every packet. @returns the frames of each stream */
function countFrames(context: FormatContext): readonly number[] {
  const counters = context.streams.map((stream) => new FrameCounter(stream));
  const packet = new Packet();
  packet.alloc();
  try {
    for (; context.readFrameSync(packet) >= 0; packet.unref()) counters[packet.streamIndex]!.add(packet);
    for (const counter of counters) counter.add(null);
    return counters.map(({ count }) => count);
  } finally {
    packet.free();
    for (const counter of counters) counter.free();
  }
}

function describe(stream: Stream, frames: number): ProbedStream {
  const { codecpar } = stream;
  const { codecId, profile, sampleAspectRatio: pixel } = codecpar;
  const seconds = (ticks: bigint): string => String(Number(ticks) * stream.timeBase.toDouble());
  return {
    codec_type: avGetMediaTypeString(codecpar.codecType) ?? '',
    codec_name: avGetCodecName(codecId) ?? '',
    codec_tag_string: codecpar.codecTagString ?? '',
    profile: profiles[codecId]?.[profile] ?? String(profile),
    has_b_frames: codecpar.videoDelay,
    pix_fmt: avGetPixFmtName(codecpar.format as AVPixelFormat) ?? '',
    width: codecpar.width,
    height: codecpar.height,
    color_space: codecpar.colorSpace === AVCOL_SPC_BT709 ? 'bt709' : String(codecpar.colorSpace),
    sample_aspect_ratio: `${pixel.num}:${pixel.den}`,
    r_frame_rate: `${stream.rFrameRate.num}/${stream.rFrameRate.den}`,
    start_time: seconds(stream.startTime),
    duration: seconds(stream.duration),
    nb_read_frames: String(frames),
    tags: stream.metadata?.getAll() ?? {},
  };
}

/** @throws Error with FFmpeg's message when it is no media file */
export function probe(bytes: Uint8Array): Probed {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  const context = new FormatContext();
  try {
    const file = join(folder, 'media');
    writeFileSync(file, bytes);
    FFmpegError.throwIfError(context.openInputSync(file), 'open');
    FFmpegError.throwIfError(context.findStreamInfoSync(), 'read the header');
    const frames = countFrames(context);
    const { streams, iformat, startTime, duration } = context;
    assert.ok(iformat?.name, 'a format');
    return {
      streams: streams.map((stream, i) => describe(stream, frames[i]!)),
      format: {
        format_name: iformat.name,
        start_time: String(Number(startTime) / 1e6),
        duration: String(Number(duration) / 1e6),
      },
    };
  } finally {
    context.closeInputSync();
    rmSync(folder, { recursive: true });
  }
}

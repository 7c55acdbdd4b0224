// Reads the samples of a clip with two demuxers that the remuxer does not use: FFmpeg's and mediabunny's.
// - Each reads the file as for playback, and applies the edit list.
// - FFmpeg runs in this process, because each start of ffprobe takes a quarter of a second of a core.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferSource, EncodedPacketSink, Input, MP4, QTFF } from 'mediabunny';
import { AV_LOG_ERROR, AV_PKT_FLAG_DISCARD, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FFmpegError, FormatContext, Log, Packet } from 'node-av/lib';

Log.setLevel(AV_LOG_ERROR);

interface SampleSeen {
  /** Microseconds. */
  readonly time: number;
  /** Microseconds. */
  readonly duration: number;
  /** Bytes. */
  readonly size: number;
  readonly key: boolean;
  /** Digest of the bytes. */
  readonly md5: string;
}

interface PacketSeen {
  /** Ticks of the track. */
  readonly pts: number;
  readonly dts: number;
  readonly size: number;
  readonly key: boolean;
  readonly md5: string;
}

/** The packets of the first video track that are shown, and ticks a second. */
function packetsIn(file: string): { readonly packets: PacketSeen[]; readonly ticksASecond: number } {
  const context = new FormatContext();
  const packet = new Packet();
  packet.alloc();
  try {
    FFmpegError.throwIfError(context.openInputSync(file), 'open');
    FFmpegError.throwIfError(context.findStreamInfoSync(), 'read the header');
    const track = context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
    const packets: PacketSeen[] = [];
    while (context.readFrameSync(packet) >= 0) {
      const { pts, dts, data, flags, isKeyframe: key } = packet;
      if (packet.streamIndex === track?.index && data && (flags & AV_PKT_FLAG_DISCARD) === 0) {
        const md5 = createHash('md5').update(data).digest('hex');
        packets.push({ pts: Number(pts), dts: Number(dts), size: data.length, key, md5 });
      }
      packet.unref();
    }
    const { num, den } = track?.timeBase ?? { num: 0, den: 1 };
    return { packets, ticksASecond: den / num };
  } finally {
    packet.free();
    context.closeInputSync();
  }
}

const micros = (seconds: number): number => Math.round(seconds * 1e6);

/**
 * The first video track, in the order of decoding, without samples that are decoded and not shown. The sample that is shown first
 * is at 0. FFmpeg guesses the durations of fragments. So a duration is the difference of two decode times, and that of the last
 * sample is 0.
 */
export function ffmpegSees(clip: Uint8Array): SampleSeen[] {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  try {
    const file = join(folder, 'clip');
    writeFileSync(file, clip);
    const { packets, ticksASecond } = packetsIn(file);
    const start = Math.min(...packets.map(({ pts }) => pts));
    return packets.map(({ pts, dts, ...seen }, i) => ({
      ...seen,
      time: micros((pts - start) / ticksASecond),
      duration: micros(((packets[i + 1]?.dts ?? dts) - dts) / ticksASecond),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The first video track, in the order of decoding; its time 0 is second `zero` of the clip. */
export async function mediabunnySees(clip: Uint8Array, zero = 0): Promise<SampleSeen[]> {
  const input = new Input({ source: new BufferSource(clip), formats: [MP4, QTFF] });
  const [track] = await input.getVideoTracks();
  if (!track) throw new Error('mediabunny finds no video track');
  const seen: SampleSeen[] = [];
  for await (const { timestamp, duration, data, type } of new EncodedPacketSink(track).packets()) {
    const md5 = createHash('md5').update(data).digest('hex');
    seen.push({
      time: micros(timestamp - zero),
      duration: micros(duration),
      size: data.length,
      key: type === 'key',
      md5,
    });
  }
  return seen;
}

/** The same with the sample that is shown first at 0. */
export function fromZero(samples: readonly SampleSeen[]): SampleSeen[] {
  const start = Math.min(...samples.map(({ time }) => time));
  return samples.map((sample) => ({ ...sample, time: sample.time - start }));
}

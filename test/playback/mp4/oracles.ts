// What two programs that have no part in remuxing say of the samples of a clip: ffprobe and mediabunny.
// - Each reads the file as it would for playing, edit list and all.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BufferSource, EncodedPacketSink, Input, MP4, QTFF } from 'mediabunny';

export interface SampleSeen {
  /** Ticks of the track as ffprobe tells them, microseconds as mediabunny does. */
  readonly time: number;
  /** In the unit of `time`. */
  readonly duration: number;
  /** Bytes. */
  readonly size: number;
  readonly key: boolean;
  /** Digest of the bytes. */
  readonly md5: string;
}

const run = promisify(execFile);

interface ProbedPacket {
  readonly pts: number;
  readonly dts: number;
  readonly size: string;
  readonly flags: string;
  readonly data_hash: string;
}

/**
 * The first video track, in the order of decoding, but for what is decoded and not shown. Of fragments ffprobe guesses how long a sample lasts, so that is
 * reckoned from the times of decoding; the last sample has 0.
 */
export async function ffprobeSees(clip: Uint8Array): Promise<SampleSeen[]> {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  try {
    const file = join(folder, 'clip');
    writeFileSync(file, clip);
    const packets = ['-show_packets', '-select_streams', 'v:0', '-show_data_hash', 'md5'];
    const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'json', ...packets, file]);
    return (JSON.parse(stdout) as { packets: ProbedPacket[] }).packets
      .filter(({ flags }) => !flags.includes('D'))
      .map(({ pts, dts, size, flags, data_hash }, i, all) => ({
        time: pts,
        duration: (all[i + 1]?.dts ?? dts) - dts,
        size: Number(size),
        key: flags.startsWith('K'),
        md5: data_hash.replace(/^MD5:/i, ''),
      }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const micros = (seconds: number): number => Math.round(seconds * 1e6);

/** The first video track, in the order of decoding. */
export async function mediabunnySees(clip: Uint8Array): Promise<SampleSeen[]> {
  const input = new Input({ source: new BufferSource(clip), formats: [MP4, QTFF] });
  const [track] = await input.getVideoTracks();
  if (!track) throw new Error('mediabunny finds no video track');
  const seen: SampleSeen[] = [];
  for await (const { timestamp, duration, data, type } of new EncodedPacketSink(track).packets()) {
    const md5 = createHash('md5').update(data).digest('hex');
    seen.push({
      time: micros(timestamp),
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

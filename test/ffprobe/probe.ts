// What ffprobe says of a media file.
// - It is given a file, since it cannot tell the length of a stream.
// - The file is removed at once.
// - The tests run it from PATH, where obtain-ffprobe.mjs sees to it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As ffprobe writes them: numbers of seconds and counts are strings; what does not apply is not there. */
export interface ProbedStream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly codec_tag_string: string;
  readonly profile?: string;
  /** Frames that a decoder holds back. */
  readonly has_b_frames?: number;
  readonly pix_fmt: string;
  readonly width: number;
  readonly height: number;
  readonly color_space?: string;
  /** Of a pixel, `4:3`. */
  readonly sample_aspect_ratio?: string;
  readonly r_frame_rate: string;
  readonly start_time: string;
  readonly duration?: string;
  readonly bit_rate?: string;
  /** Frames that were decoded. */
  readonly nb_read_frames: string;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface Probed {
  readonly streams: readonly ProbedStream[];
  readonly format: { readonly format_name: string; readonly start_time: string; readonly duration: string };
}

/** @throws Error with ffprobe's words for what is no media file */
export function probe(bytes: Uint8Array): Probed {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  try {
    const file = join(folder, 'media');
    writeFileSync(file, bytes);
    const options = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', '-count_frames'];
    return JSON.parse(execFileSync('ffprobe', [...options, file], { encoding: 'utf8' })) as Probed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

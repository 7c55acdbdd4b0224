// The files of an HLS source, encoded by ffmpeg, as small and short as the test allows.
// - Ffmpeg writes them into a temporary folder; they are read into memory and the folder is removed.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Inputs of 25 pictures a second, 320 by 180, and of one tone. */
export const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
export const tone = ['-f', 'lavfi', '-i', 'sine=sample_rate=48000'];
/** H.264 with a key frame every 2 s, and AAC of 96 kbps. */
export const h264 = ['-c:v', 'libx264', '-preset', 'superfast', '-profile:v', 'main', '-pix_fmt', 'yuv420p'];
export const everyTwoSeconds = ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0'];
export const aac = ['-c:a', 'aac', '-b:a', '96k'];

const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0', '-hls_playlist_type', 'vod'];

/** The files of a source, by name; its playlist is `index.m3u8`. */
export type SourceFiles = ReadonlyMap<string, Buffer>;

/** Runs ffmpeg with these inputs and codings; `hlsOptions` are those of its HLS output. */
export async function makeSource(
  args: readonly string[],
  hlsOptions: readonly string[] = [],
): Promise<SourceFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'source-'));
  try {
    const playlist = join(folder, 'index.m3u8');
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...args, ...hls, ...hlsOptions, playlist]);
    return await filesIn(folder, playlist);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function filesIn(folder: string, playlist: string): Promise<SourceFiles> {
  const text = await readFile(playlist);
  const names = [...text.toString().matchAll(/^(?!#)(\S+)$|URI="([^"]+)"/gm)].map(([, line, uri]) =>
    basename((line ?? uri)!),
  );
  const files = new Map([['index.m3u8', text]]);
  for (const name of new Set(names)) files.set(name, await readFile(join(folder, name)));
  return files;
}

// A video source with a number in each frame: grey pictures with a stamp like that of sandbox frames, but lower, where a
// composite does not cover it. Debian's FFmpeg, which is not under test, encodes it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { paintStamp, readStamp } from '../../../../demo/sandbox/stamp.ts';
import type { Luma } from '../../media/decode-clip.ts';

const SIZE = { width: 320, height: 180 };
const MARK = 0x5a5a;
/** Upper and lower edge of the stamp, as parts of the height. */
const STRIP = { top: 0.14, bottom: 0.24 };

/** I420 of one frame. */
export function frameOf(number: number, { width, height } = SIZE): Uint8Array {
  const planes = new Uint8Array((width * height * 3) / 2).fill(128);
  const top = Math.round(STRIP.top * height) * width;
  // The height of a picture whose stamp, 24 of 720 rows, is as high as ours.
  const high = ((STRIP.bottom - STRIP.top) * height * 720) / 24;
  paintStamp(planes.subarray(top), width, { width, height: high }, { clip: MARK, frame: number });
  return planes;
}

/** Number of the source's frame that a picture shows; null when it shows none. */
export function sourceFrameOf({ y, width, height }: Luma): number | null {
  const row = Math.round(((STRIP.top + STRIP.bottom) / 2) * height);
  const stamp = readStamp(y.subarray(row * width), width);
  return stamp?.clip === MARK ? stamp.frame : null;
}

/** Makes a source of this many seconds at 25 frames a second: H.264 with a key frame every second, and AAC. Returns its file. */
export function stampedSource(folder: string, seconds: number): string {
  const file = join(folder, 'source.mp4');
  const input = Buffer.concat(Array.from({ length: seconds * 25 }, (_, number) => frameOf(number)));
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${SIZE.width}x${SIZE.height}`, '-r', '25'];
  const tone = ['-f', 'lavfi', '-t', String(seconds), '-i', 'sine=frequency=440:sample_rate=48000'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25'];
  ffmpegNow([...raw, '-i', '-', ...tone, ...video, '-c:a', 'aac', '-y', file], input);
  return file;
}

/** Runs FFmpeg to its end. @throws Error with its messages */
export function ffmpegNow(args: readonly string[], input?: Uint8Array): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...args], { input });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr.toString()}`);
}

/** Starts FFmpeg, and kills it after the test unless it has ended before. */
export function ffmpeg(t: TestContext, args: readonly string[]): ChildProcess {
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...args], { stdio: 'ignore' });
  t.after(() => endOf(child));
  return child;
}

/** Kills the process, unless it has ended, and waits for its end. */
export async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Pushes a file in real time without encoding it again. */
export const push = (t: TestContext, file: string, format: 'flv' | 'mpegts', url: string): ChildProcess =>
  ffmpeg(t, ['-re', '-i', file, '-c', 'copy', '-f', format, url]);

/** Pushes again until the push is accepted, because a port refuses connections for a short time after a disconnection. */
export async function pushUntil(
  isTaken: () => boolean,
  ...args: Parameters<typeof push>
): Promise<ChildProcess> {
  for (;;) {
    const pushing = push(...args);
    while (!isTaken() && pushing.exitCode === null) await delay(50);
    if (isTaken()) return pushing;
  }
}

// How late a pushed source is in the composite: from the moment a frame is taken by its sender, before it is encoded, until a playlist
// lists the part that shows it; a low-latency player adds its hold-back of 0.6 s. And what the session's process takes of a
// core. Run on demand, on an idle machine: node --import tsx --test test/sandbox/live/media/delay.bench.ts
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { test } from 'node:test';
import { frameSizes } from '../../../../demo/sandbox/media/frame-size.ts';
import { ProcessRun } from '../../../../demo/sandbox/live/media/live-run.ts';
import { decodeClip } from '../../media/decode-clip.ts';
import { MediaDesk, namesOf, orderOf } from './media-desk.ts';
import { endOf, frameOf, sourceFrameOf } from './stamped-source.ts';

const FRAME_MS = 40;
const SEGMENTS = 12;
/** Glass to glass, with the player's hold-back. */
const GOAL_MS = 3000;
const HOLD_BACK_MS = 600;
const size = frameSizes['720p'];

/** Seconds of processor time that a process has taken. */
function cpuOf(pid: number): number {
  const time = execFileSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(time);
}

test('the composite of a pushed 720p source is less than three seconds late', async (t) => {
  const desk = new MediaDesk(t);
  const run = new ProcessRun(orderOf({ pictureInPicture: true }), desk.streams, 15_000);
  t.after(() => run.stop());
  const { ingestUrl, pipUrl } = await run.ready;
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${size.width}x${size.height}`, '-r', '25'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25'];
  const args = ['-v', 'error', ...raw, '-i', '-', ...video, '-f', 'flv', ingestUrl!];
  const sender = spawn('ffmpeg', args, { stdio: ['pipe', 'ignore', 'ignore'] });
  sender.stdin.on('error', () => {});
  t.after(() => endOf(sender));
  /** When the sender took each frame. */
  const sent: number[] = [];
  let made = 0;
  const began = performance.now();
  const feed = setInterval(() => {
    for (; made * FRAME_MS <= performance.now() - began; made++) {
      sender.stdin.write(frameOf(made, size), () => sent.push(performance.now()));
    }
  }, FRAME_MS / 4);
  t.after(() => clearInterval(feed));

  const playlist = await desk.grown(pipUrl!, 4);
  const init = await desk.bytes(pipUrl!.replace('stream.m3u8', 'init.mp4'));
  const first = namesOf(playlist).length;
  const [cpu, clock] = [cpuOf(run.pid!), performance.now()];
  const listed: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  for (let number = first; number < first + SEGMENTS; number++) {
    await desk.bytes(`${pipUrl!}&_HLS_msn=${number}`);
    const at = performance.now();
    listed.push({ at, bytes: await desk.bytes(pipUrl!.replace('stream.m3u8', `${number}.m4s`)) });
  }
  const cores = (cpuOf(run.pid!) - cpu) / ((performance.now() - clock) / 1000);
  clearInterval(feed);
  const delays: number[] = [];
  for (const { at, bytes } of listed) {
    const { pictures } = await decodeClip(Buffer.concat([init, bytes]));
    delays.push(at - sent[sourceFrameOf(pictures.at(-1)!)!]!);
  }
  delays.sort((a, b) => a - b);
  const [least, middle, most] = [delays[0]!, delays[SEGMENTS / 2]!, delays.at(-1)!].map(Math.round);
  t.diagnostic(
    `least ${least}, median ${middle}, most ${most} ms until it is listed; ${cores.toFixed(2)} cores`,
  );
  assert.ok(most! + HOLD_BACK_MS < GOAL_MS, `${most} ms`);
});

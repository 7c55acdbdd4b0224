// Measures the delay of a pushed source: from the moment a sender takes a frame, before it encodes it, until a playlist lists
// the part or segment that shows it. Compares the composite of a live session with Debian's FFmpeg, which receives the same
// source in the same run and only packs it into segments of a second. Also measures the share of a core that the process of
// the session uses.
// - Both are fed the same stamped 720p pictures at 25 a second.
// - A player adds its hold-back (0.6 s) to the first row.
// - The goal is for an idle machine.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox } from '../../demo/sandbox/index.ts';
import { frameSizes } from '../../demo/sandbox/media/media-spec.ts';
import { freePort } from '../backend/free-port.mjs';
import { decodeClip } from '../sandbox/media/decode-clip.ts';
import { endOf, frameOf, sourceFrameOf } from '../sandbox/live/media/stamped-source.ts';
import { median } from './median.ts';

const FRAME_MS = 40;
const SEGMENTS = 12;
const size = frameSizes['720p'];

/** Waits for the next whole segment: gives its bytes, with the initialisation segment where there is one. */
type NextSegment = () => Promise<Uint8Array>;

interface Feed {
  /** When the sender took each frame. */
  readonly sent: readonly number[];
  stop(): Promise<void>;
}

/** Feeds stamped pictures to an FFmpeg that encodes and pushes them. */
function feed(url: string): Feed {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${size.width}x${size.height}`, '-r', '25'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '25'];
  const args = ['-v', 'error', ...raw, '-i', '-', ...video, '-f', 'flv', url];
  const sender = spawn('ffmpeg', args, { stdio: ['pipe', 'ignore', 'ignore'] });
  sender.stdin.on('error', () => {});
  const sent: number[] = [];
  let made = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    for (; made * FRAME_MS <= performance.now() - began; made++) {
      sender.stdin.write(frameOf(made, size), () => sent.push(performance.now()));
    }
  }, FRAME_MS / 4);
  const stop = (): Promise<void> => {
    clearInterval(timer);
    return endOf(sender);
  };
  return { sent, stop };
}

/** The delay of the last picture of each of the next segments, in milliseconds. */
async function delaysOf({ sent }: Feed, next: NextSegment): Promise<number[]> {
  const listed: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  while (listed.length < SEGMENTS) {
    const bytes = await next();
    listed.push({ at: performance.now(), bytes });
  }
  const delays: number[] = [];
  for (const { at, bytes } of listed) {
    const { pictures } = await decodeClip(Buffer.from(bytes));
    delays.push(at - sent[sourceFrameOf(pictures.at(-1)!)!]!);
  }
  return delays;
}

function tell(what: string, delays: readonly number[], more = ''): void {
  const [least, most] = [Math.min(...delays), Math.max(...delays)].map(Math.round);
  console.log(`${what}: median ${Math.round(median(delays))} ms, least ${least}, most ${most}${more}`);
}

/** Seconds of processor time that a process has taken. */
const cpuOf = (pid: string): number =>
  Number(execFileSync('ps', ['-o', 'cputimes=', '-p', pid], { encoding: 'utf8' }));

/** The process of the only live session. */
function processOfSession(): string {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  const [, pid] = /^ *(\d+) .*live-process/m.exec(list) ?? [];
  if (pid === undefined) throw new Error('the session has no process');
  return pid;
}

async function composite(): Promise<void> {
  const sandbox = await startSandbox({ render: { stamp: true } });
  try {
    const created = await fetch(`${sandbox.addresses.apiUrl}/v2/live/sessions`, {
      method: 'POST',
      headers: { 'X-API-KEY': sandbox.addresses.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ sourceType: 'RTMP_PUSH', pictureInPicture: true }),
    });
    const { rtmpEndpoints, manifests } = (await created.json()) as {
      rtmpEndpoints: [string];
      manifests: { pip: string };
    };
    const bytesOf = async (url: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(url)).arrayBuffer());
    const file = (name: string): string => manifests.pip.replace('stream.m3u8', name);
    const source = feed(rtmpEndpoints[0]);
    let playlist = '';
    while (!playlist.includes('\n3.m4s')) {
      await delay(200);
      playlist = (await bytesOf(manifests.pip)).toString();
    }
    const init = await bytesOf(file('init.mp4'));
    let number = 1 + Math.max(...Array.from(playlist.matchAll(/^(\d+)\.m4s/gm), ([, one]) => Number(one)));
    const pid = processOfSession();
    const [cpu, clock] = [cpuOf(pid), performance.now()];
    const delays = await delaysOf(source, async () => {
      await bytesOf(`${manifests.pip}&_HLS_msn=${number}`);
      return Buffer.concat([init, await bytesOf(file(`${number++}.m4s`))]);
    });
    const cores = (cpuOf(pid) - cpu) / ((performance.now() - clock) / 1000);
    await source.stop();
    tell('the composite of a session', delays, `; its process takes ${cores.toFixed(2)} of a core`);
  } finally {
    await sandbox.close();
  }
}

async function packed(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'live-delay-'));
  const url = `rtmp://127.0.0.1:${await freePort()}/live/baseline`;
  const hls = [
    '-c',
    'copy',
    '-f',
    'hls',
    '-hls_time',
    '1',
    '-hls_list_size',
    '0',
    join(folder, 'stream.m3u8'),
  ];
  const packer: ChildProcess = spawn('ffmpeg', ['-v', 'error', '-listen', '1', '-i', url, ...hls], {
    stdio: 'ignore',
  });
  await delay(1000);
  const source = feed(url);
  try {
    let number = 3;
    const isListed = (): boolean => {
      try {
        return readFileSync(join(folder, 'stream.m3u8'), 'utf8').includes(`\nstream${number}.ts`);
      } catch {
        return false;
      }
    };
    const delays = await delaysOf(source, async () => {
      while (!isListed()) await delay(5);
      return readFileSync(join(folder, `stream${number++}.ts`));
    });
    tell('FFmpeg packs the source, no signer', delays);
  } finally {
    await source.stop();
    await endOf(packer);
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function benchLiveDelay(): Promise<void> {
  await packed();
  await composite();
}

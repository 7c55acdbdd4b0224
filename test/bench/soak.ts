// `npm run bench:soak [minutes]` (default 10): the sandbox under steady load, two stream sessions that a reader
// follows part by part, and a clip a second that nobody has requested before.
// - Fails when memory grows, a file is left behind, a rejection goes unhandled, a text is not answered or a stream is
//   not served.
// - Prints one line a minute.
// - The store of clips is set small, so that it is full within the first minute and any later growth is a leak.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../demo/sandbox/index.ts';
import { manifestUrlOf } from '../players/stream-session.ts';
import { V3Client } from '../sandbox/v3/socket.ts';

const STREAMS = 2;
const STORE_BYTES = 8 * 1024 * 1024;
/** Resident memory may be this much over that of the second minute; the allocator keeps what it once had. */
const MOST_GROWTH = 1.15;

const minutes = Number(process.argv[2] ?? 10);
const counts = { clips: 0, parts: 0, playlists: 0, unhandled: 0 };
process.on('unhandledRejection', (reason) => {
  counts.unhandled += 1;
  console.error('unhandled', reason);
});

const stop = new AbortController();

/** Follows a media playlist as a low-latency player does, with blocking reloads, and fetches each part once. */
async function follow(url: string): Promise<void> {
  const playlist = await mediaPlaylistOf(url);
  let ask: string = playlist;
  let fetched: ReadonlySet<string> = new Set();
  while (!stop.signal.aborted) {
    const response = await fetch(ask);
    if (!response.ok) throw new Error(`playlist: ${response.status}`);
    const text = await response.text();
    counts.playlists += 1;
    const parts = [...text.matchAll(/#EXT-X-PART:.*URI="([^"]+)"/g)].map(([, part]) => part!);
    for (const part of parts) {
      if (fetched.has(part)) continue;
      const media = await fetch(new URL(part, playlist));
      if (!media.ok) throw new Error(`part: ${media.status}`);
      await media.arrayBuffer();
      counts.parts += 1;
    }
    // Only the parts of this playlist: each name is a slice of the playlist's text and keeps all of that text in memory.
    fetched = new Set(parts);
    ask = nextReload(playlist, text);
  }
}

async function mediaPlaylistOf(url: string): Promise<string> {
  const text = await (await fetch(url)).text();
  const variant = /#EXT-X-STREAM-INF:.*\n(.+)/.exec(text)?.[1];
  return variant === undefined ? url : new URL(variant, url).href;
}

/** The address that answers when the next part exists, which comes after the last whole segment and its parts. */
function nextReload(playlist: string, text: string): string {
  const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]);
  const segments = text.match(/#EXTINF:/g)?.length ?? 0;
  const growing = text.slice(text.lastIndexOf('#EXTINF:'));
  const url = new URL(playlist);
  url.searchParams.set('_HLS_msn', String(first + segments));
  url.searchParams.set('_HLS_part', String(growing.match(/#EXT-X-PART:/g)?.length ?? 0));
  return url.href;
}

async function streamSession(sandbox: Sandbox, name: string): Promise<() => Promise<void>> {
  const client = await new V3Client(sandbox.addresses.wsUrl).opened();
  client.start({ digital_signer: 'RAE', resolution: '480p' }, 'stream');
  const following = follow(manifestUrlOf(await client.next()));
  const texting = (async () => {
    for (let n = 0; !stop.signal.aborted; n++) {
      client.send({ type: 'text', id: `${name}-${n}`, data: `Stream ${name} number ${n}` });
      await client.next();
      await setTimeout(5000, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  return async () => {
    await Promise.all([following, texting]);
    client.send({ type: 'session.end' });
    await client.closed();
  };
}

async function clipASecond(sandbox: Sandbox): Promise<void> {
  const client = await new V3Client(sandbox.addresses.wsUrl).opened();
  client.start();
  await client.next();
  const started = performance.now();
  for (let n = 0; !stop.signal.aborted; n++) {
    client.send({ type: 'text', id: `clip-${n}`, data: `Clip number ${n}` });
    await client.next();
    const result = await client.next();
    const media = await fetch(String(result['url']));
    if (result.type !== 'result' || !media.ok) throw new Error(`clip: ${JSON.stringify(result)}`);
    await media.arrayBuffer();
    counts.clips += 1;
    await setTimeout(Math.max(0, started + (n + 1) * 1000 - performance.now()));
  }
  client.send({ type: 'session.end' });
  await client.closed();
}

// A folder of its own, because other programs write into the machine's. tsx keeps its cache in it.
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
process.env['TMPDIR'] = folder;
const here = readdirSync('.').join();
const sandbox = await startSandbox({
  limits: { max_messages_per_minute: 1000, stored_media_bytes: STORE_BYTES },
});
const ends = await Promise.all(Array.from({ length: STREAMS }, (_, i) => streamSession(sandbox, `s${i}`)));
const clips = clipASecond(sandbox);

const megabytes: number[] = [];
for (let minute = 1; minute <= minutes; minute++) {
  await Promise.race([setTimeout(60_000), clips]);
  globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const mb = (bytes: number): string => (bytes / 1048576).toFixed(0);
  megabytes.push(rss / 1048576);
  console.log(
    `minute ${minute}: ${mb(rss)} MB resident, ${mb(heapUsed)} heap, ${mb(arrayBuffers)} buffers; ` +
      `${counts.clips} clips, ${counts.playlists} playlists, ${counts.parts} parts, ${counts.unhandled} unhandled`,
  );
}
stop.abort();
await Promise.all([clips, ...ends.map((end) => end())]);
await sandbox.close();

const left = readdirSync(folder).filter((file) => !file.startsWith('tsx-'));
if (readdirSync('.').join() !== here) left.push('something in the working folder');
rmSync(folder, { recursive: true });
const growth = megabytes.at(-1)! / megabytes[Math.min(1, megabytes.length - 1)]!;
console.log(
  `growth since minute 2: ${growth.toFixed(2)} (at most ${MOST_GROWTH}); files left: ${left.length ? left.join(', ') : 'none'}`,
);
const well = growth <= MOST_GROWTH && left.length === 0 && counts.unhandled === 0;
console.log(well ? 'well' : 'NOT WELL');
process.exitCode = well ? 0 : 1;

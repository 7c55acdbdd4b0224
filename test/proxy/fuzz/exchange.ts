// One connection of an attacker: sends bytes and records the answer until either side closes.
// - The longest wait is not counted in seconds, so that a busy machine only makes the exchange slower: the connection is
//   closed when it received nothing while the program answered eight other requests one after the other.
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const LONGEST_WAIT_BEATS = 8;
const BEAT_MS = 5;

interface Pulse {
  /** How often the program has answered so far. */
  readonly beats: number;
  stop(): Promise<void>;
}

/**
 * Sends `GET /healthz` again and again, each time on a new connection; an answer shows that the program has accepted all
 * earlier connections. stop() rejects when a request got no answer.
 */
export function pulseOf(url: URL): Pulse {
  let beats = 0;
  let isStopped = false;
  const beating = (async () => {
    while (!isStopped) {
      await healthy(url);
      beats += 1;
      await setTimeout(BEAT_MS);
    }
  })();
  // stop() reports it.
  beating.catch(() => (beats = Infinity));
  return {
    get beats() {
      return beats;
    },
    async stop() {
      isStopped = true;
      await beating;
    },
  };
}

function healthy(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(`${url.origin}/healthz`, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`/healthz answers ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    request.on('error', reject);
  });
}

let exchanges = 0;

/**
 * Sends the pieces one by one; resolves with all bytes received until either side closed. Twenty exchanges come from one
 * address, so that none sends more costly bodies than it may (limits/connections.ts).
 */
export async function exchange(url: URL, pieces: readonly Buffer[], pulse: Pulse): Promise<Buffer> {
  const each = Math.floor((exchanges += 1) / 20);
  const localAddress = `127.1.${Math.floor(each / 250) % 250}.${(each % 250) + 1}`;
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress }).setNoDelay(true);
  const chunks: Buffer[] = [];
  let lastBeat = pulse.beats;
  let isRefused = false;
  socket.on('error', (error: NodeJS.ErrnoException) => (isRefused ||= error.code === 'ECONNREFUSED'));
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    lastBeat = pulse.beats;
  });
  const timer = setInterval(() => {
    if (pulse.beats >= lastBeat + LONGEST_WAIT_BEATS) socket.destroy();
  }, BEAT_MS);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) socket.write(piece);
  await closed;
  clearInterval(timer);
  if (isRefused) throw new Error('nobody listens any more');
  return Buffer.concat(chunks);
}

// A service that answers an upgrade with bytes that a test gives, behind the program as an operator starts it.
// - For any answer of the service, no secret reaches the client or the log.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before } from 'node:test';
import { listen } from '../../listening.ts';
import { addressOf, run, type Program } from '../program.ts';
import { closeOf, frame } from '../raw-frames.ts';
import { KEY, noSecretIn, TOKEN } from './harness.ts';

const START = '{"type":"session.start","version":"3.0","mode":"translate","config":{"digital_signer":"RAE"}}';

/** A head that accepts the upgrade, without the empty line at its end. */
export const UPGRADED =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n';

export interface RawAnswer {
  /** `ACCEPT` is replaced by the right value. */
  readonly head: string;
  /** Sent after the head, in the same packet unless `how` is `byte by byte`. */
  readonly says: Buffer;
  /** How `says` is sent, or what the service does after it. */
  readonly how?: 'byte by byte' | 'then ends' | 'then resets' | undefined;
}

interface RawHarness {
  readonly origin: string;
  /** All frames that a client receives from its session.start until it is closed. */
  framesOf(answer: RawAnswer): Promise<Buffer>;
}

async function sayTo(socket: Socket, { head, says, how }: RawAnswer, request: string): Promise<void> {
  const [, key = ''] = /sec-websocket-key: (\S+)/i.exec(request) ?? [];
  // RFC 6455, 1.3.
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  const first = Buffer.from(head.replace('ACCEPT', accept));
  const isSlow = how === 'byte by byte';
  const packets = isSlow
    ? [first, ...[...says].map((byte) => Buffer.of(byte))]
    : [Buffer.concat([first, says])];
  socket.setNoDelay(true);
  for (const packet of packets) await new Promise((written) => socket.write(packet, written));
  if (how === 'then ends') socket.end();
  if (how === 'then resets') socket.resetAndDestroy();
}

/** For the tests of one file. */
export function rawHarness(): RawHarness {
  let program: Program;
  let url: URL;
  let answer: RawAnswer;
  const endings: (() => void)[] = [];

  before(async () => {
    const service = createServer((socket) => {
      let asked = '';
      endings.push(() => socket.destroy());
      socket.on('error', () => undefined).on('end', () => socket.end());
      socket.on('data', (chunk: Buffer) => {
        if (asked.includes('\r\n\r\n')) return;
        asked += chunk.toString('latin1');
        if (asked.includes('\r\n\r\n')) void sayTo(socket, answer, asked);
      });
    });
    const port = await listen(service);
    endings.push(() => service.close());
    program = run(
      { after: (end) => void endings.push(end) },
      {
        PORT: '0',
        SIGN_API_URL: `http://127.0.0.1:${port}`,
        SIGN_API_KEY: KEY,
        SIGN_OPERATOR_TOKEN: TOKEN,
      },
    );
    url = await addressOf(program);
  });
  after(async () => {
    program.kill('SIGTERM');
    assert.equal(await program.exited, 0);
    for (const end of endings) end();
    noSecretIn(program.stderr());
  });

  return {
    get origin() {
      return url.origin;
    },
    async framesOf(next) {
      answer = next;
      const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
      let got = Buffer.alloc(0);
      const frames = (): Buffer => got.subarray(got.indexOf('\r\n\r\n') + 4);
      socket.on('data', (chunk: Buffer) => {
        got = Buffer.concat([got, chunk]);
        if (closeOf(frames()) !== 'none') socket.end();
      });
      const upgrade =
        'GET /sign/ws/ HTTP/1.1\r\nHost: proxy.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
      socket.write(Buffer.concat([Buffer.from(upgrade), frame(START)]));
      await once(socket, 'close');
      noSecretIn(got.toString('latin1'));
      return frames();
    },
  };
}

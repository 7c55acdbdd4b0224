// A service that speaks WebSocket byte by byte, as no library would: what a client gets of that, and how its session ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BINARY,
  CLOSE,
  closeOf,
  CONTINUATION,
  FIN,
  frame,
  framesIn,
  PING,
  RSV1,
  type FrameInit,
} from '../raw-frames.ts';
import { rawHarness, UPGRADED, type RawAnswer } from './raw-service.ts';
import { KEY, TOKEN } from './harness.ts';

const READY = '{"type":"session.ready"}';
const HIDDEN = '{"said":"[redacted]"}';
const ESCAPED = `{"said":"${[...TOKEN].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')}"}`;
const PLAIN = `{"said":"${TOKEN}"}`;
const MB = 1024 * 1024;
const HIGH_BIT = 0x80;

/** A frame as a service sends it, without a mask. */
const sent = (payload: string | Buffer, init: FrameInit = {}): Buffer =>
  frame(payload, { masked: false, ...init });

/** `payload` in fragments that begin at `cuts`, with a ping between them. */
function fragments(payload: string | Buffer, ...cuts: number[]): Buffer {
  const bytes = Buffer.from(payload);
  const parts = [0, ...cuts].map((from, n) => bytes.subarray(from, cuts[n] ?? bytes.length));
  return Buffer.concat(
    parts.flatMap((part, n) => [
      sent(part, { ...(n > 0 ? { opcode: CONTINUATION } : {}), flags: n === parts.length - 1 ? FIN : 0 }),
      sent(TOKEN, { opcode: PING }),
    ]),
  );
}

/** A length that takes more bytes than it needs. */
const longHead = (payload: string, bytes: 2 | 8): Buffer => {
  const length = Buffer.alloc(bytes);
  length.writeUInt8(payload.length, bytes - 1);
  return Buffer.concat([Buffer.from([0x81, bytes === 2 ? 126 : 127]), length, Buffer.from(payload)]);
};

const closing = (code: number, reason: string | Buffer = ''): Buffer =>
  sent(Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]), { opcode: CLOSE });

interface Row extends Pick<RawAnswer, 'says' | 'how'> {
  readonly what: string;
  readonly gets: readonly string[];
  readonly closed: string;
}

const LOST = '1011 session_failed';
const ENDED = '1000';
const end = closing(1000);

const rows: readonly Row[] = [
  {
    what: 'frames in the packet of its 101',
    says: Buffer.concat([sent(READY), end]),
    gets: [READY],
    closed: ENDED,
  },
  {
    what: 'a masked frame',
    says: Buffer.concat([sent(READY), sent(READY, { masked: true })]),
    gets: [READY],
    closed: LOST,
  },
  {
    what: 'a secret in three fragments, with pings of it between them',
    says: Buffer.concat([fragments(PLAIN, 12, 17), end]),
    gets: [HIDDEN],
    closed: ENDED,
  },
  {
    what: 'a secret in escapes that fragments split',
    says: Buffer.concat([fragments(ESCAPED, 11, 13, 22), end]),
    gets: [HIDDEN],
    closed: ENDED,
  },
  {
    what: 'a secret in a frame with a length of two bytes',
    says: Buffer.concat([longHead(PLAIN, 2), end]),
    gets: [HIDDEN],
    closed: ENDED,
  },
  {
    what: 'a secret in a frame with a length of eight bytes',
    says: Buffer.concat([longHead(PLAIN, 8), end]),
    gets: [HIDDEN],
    closed: ENDED,
  },
  {
    what: 'a secret byte by byte',
    says: Buffer.concat([sent(PLAIN), end]),
    how: 'byte by byte',
    gets: [HIDDEN],
    closed: ENDED,
  },
  {
    what: 'a secret in a binary frame',
    says: Buffer.concat([sent(PLAIN, { opcode: BINARY }), end]),
    gets: [HIDDEN],
    closed: ENDED,
  },
  {
    what: 'secrets in frames behind each other',
    says: Buffer.concat([sent(READY), sent(PLAIN), sent(READY), sent(ESCAPED), end]),
    gets: [READY, HIDDEN, READY, HIDDEN],
    closed: ENDED,
  },
  { what: 'a secret as the reason of its close', says: closing(1008, TOKEN), gets: [], closed: LOST },
  { what: 'a close code that nobody may send', says: closing(1005), gets: [], closed: LOST },
  { what: 'a close of one byte', says: sent('a', { opcode: CLOSE }), gets: [], closed: LOST },
  {
    what: 'a close whose reason is no UTF-8',
    says: closing(1000, Buffer.from([0xff])),
    gets: [],
    closed: LOST,
  },
  { what: 'a frame behind its close', says: Buffer.concat([end, sent(READY)]), gets: [], closed: ENDED },
  {
    what: 'a character that two fragments split',
    says: Buffer.concat([fragments('"façade"', 4), end]),
    gets: ['"façade"'],
    closed: ENDED,
  },
  {
    what: 'bad UTF-8 in a fragment',
    says: fragments(Buffer.from([0x22, 0xc3, 0x22]), 2),
    gets: [],
    closed: LOST,
  },
  {
    what: 'bad UTF-8 behind a good frame',
    says: Buffer.concat([sent(READY), sent(Buffer.from([0xed, 0xa0, 0x80]))]),
    gets: [READY],
    closed: LOST,
  },
  {
    what: 'a frame that says it is compressed',
    says: sent(READY, { flags: FIN | RSV1 }),
    gets: [],
    closed: LOST,
  },
  { what: 'an opcode that does not exist', says: sent(READY, { opcode: 3 }), gets: [], closed: LOST },
  { what: 'a continuation of nothing', says: sent(READY, { opcode: CONTINUATION }), gets: [], closed: LOST },
  {
    what: 'a text inside a text',
    says: Buffer.concat([sent('{', { flags: 0 }), sent(READY)]),
    gets: [],
    closed: LOST,
  },
  { what: 'a length over 1 MB', says: sent('', { length: BigInt(MB) + 1n }), gets: [], closed: LOST },
  { what: 'a length of 2^63', says: sent('', { length: 2n ** 63n }), gets: [], closed: LOST },
  {
    what: 'half a frame and the end of the connection',
    says: Buffer.concat([sent(READY), sent(PLAIN).subarray(0, 9)]),
    how: 'then ends',
    gets: [READY],
    closed: LOST,
  },
  {
    what: 'half a frame and a reset',
    says: sent(PLAIN).subarray(0, 9),
    how: 'then resets',
    gets: [],
    closed: LOST,
  },
  {
    what: 'text that is valid only with its highest bits flipped',
    says: sent(Buffer.from(Buffer.from(READY).map((byte) => byte ^ HIGH_BIT))),
    gets: [],
    closed: LOST,
  },
];

const harness = rawHarness();

const head = `${UPGRADED}Set-Cookie: key=${KEY}\r\nX-Key: ${TOKEN}\r\n\r\n`;
for (const { what, says, how, gets, closed } of rows) {
  test(`${what}: ${closed}`, async () => {
    const frames = await harness.framesOf({ head, says, how });
    assert.equal(closeOf(frames), closed);
    assert.deepEqual(
      framesIn(frames)
        .filter(({ opcode }) => opcode !== CLOSE)
        .map(({ payload }) => payload.toString()),
      gets,
    );
  });
}

const refusals: readonly (readonly [what: string, head: string])[] = [
  ['an extension that nobody asked for', `${UPGRADED}Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n`],
  ['a subprotocol that nobody asked for', `${UPGRADED}Sec-WebSocket-Protocol: ${TOKEN}\r\n\r\n`],
  ['another accept', `${UPGRADED.replace('ACCEPT', 'c2VjcmV0')}\r\n`],
  ['200', `HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n${TOKEN}`],
  [
    '401 with a secret',
    `HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: ${TOKEN}\r\nContent-Length: 21\r\n\r\n${TOKEN}`,
  ],
  ['a redirect', `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/${TOKEN}\r\n\r\n`],
  ['what is no HTTP', `${TOKEN}\r\n\r\n`],
];
for (const [what, answered] of refusals) {
  test(`a service that answers an upgrade with ${what} closes the client with 1011 upstream_unreachable`, async () => {
    const frames = await harness.framesOf({ head: answered, says: Buffer.alloc(0) });
    assert.equal(closeOf(frames), '1011 upstream_unreachable');
  });
}

test('a service may send 64 interim answers before it accepts an upgrade, and with one more it is not reached', async () => {
  const closeAfter = async (interim: number): Promise<string> => {
    const head = `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(interim)}${UPGRADED}\r\n`;
    return closeOf(await harness.framesOf({ head, says: end }));
  };
  assert.deepEqual([await closeAfter(64), await closeAfter(65)], [ENDED, '1011 upstream_unreachable']);
});

test('the statuses that the service answers to upgrades are counted, so that an alert notices a refused key', async () => {
  const metrics = await (await fetch(`${harness.origin}/metrics`)).text();
  const countOf = (status: string): number =>
    Number(new RegExp(`upstream_seconds_count{route="/ws/",status="${status}"} (\\d+)`).exec(metrics)?.[1]);
  assert.deepEqual(['101', '401', '302', '200', 'none'].map(countOf), [rows.length + 5, 1, 1, 1, 1]);
});

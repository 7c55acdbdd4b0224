// Hostile WebSockets, byte by byte: how each was closed, and what of it reached the service.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { BINARY, CLOSE, closeOf, CONTINUATION, FIN, frame, PING, PONG, RSV1, TEXT } from '../raw-frames.ts';
import { GUESSED, hostileStage, noSecretIn, SITE, statuses } from './stage.ts';

const stage = hostileStage({ SIGN_MESSAGES_PER_MINUTE: '100000', SIGN_MAX_SOCKETS_PER_CLIENT: '100000' });

const upgrade = (headers = '', path = '/sign/ws/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: proxy.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`;

const START = '{"type":"session.start","version":"3.0","mode":"translate","config":{"digital_signer":"RAE"}}';
const text = (data: string): string => JSON.stringify({ type: 'text', id: '1', data });

/** What a client that closes without a code has closed with (RFC 6455, 7.1.5). */
const NO_CODE = 1005;

interface Attack {
  readonly what: string;
  readonly send: readonly Buffer[];
  readonly closed: string;
  /** Frames that the service got. */
  readonly reached?: readonly string[];
}

const broken: readonly Attack[] = [
  { what: 'a frame without a mask', send: [frame(START, { masked: false })], closed: '1002' },
  {
    what: 'a deflate bomb, though nothing was negotiated',
    send: [frame(deflateRawSync(Buffer.alloc(50_000_000)).subarray(0, 60_000), { flags: FIN | RSV1 })],
    closed: '1002',
  },
  { what: 'the second reserved bit', send: [frame(START, { flags: FIN | 0x20 })], closed: '1002' },
  { what: 'the third reserved bit', send: [frame(START, { flags: FIN | 0x10 })], closed: '1002' },
  { what: 'an opcode that is none', send: [frame(START, { opcode: 3 })], closed: '1002' },
  { what: 'a control opcode that is none', send: [frame('', { opcode: 11 })], closed: '1002' },
  { what: 'a ping in pieces', send: [frame('a', { opcode: PING, flags: 0 })], closed: '1002' },
  { what: 'a ping of 126 bytes', send: [frame('a'.repeat(126), { opcode: PING })], closed: '1002' },
  { what: 'a continuation of nothing', send: [frame('a', { opcode: CONTINUATION })], closed: '1002' },
  {
    what: 'a text inside a text',
    send: [frame('{', { flags: 0 }), frame(START)],
    closed: '1002',
  },
  { what: 'a length of 2^63', send: [frame('', { length: 2n ** 63n })], closed: '1009' },
  { what: 'a length of 2^53', send: [frame('', { length: 2n ** 53n })], closed: '1009' },
  { what: 'a length of 64 kB and one', send: [frame('', { length: 65_537n })], closed: '1009' },
  {
    what: 'pieces that are over 64 kB together',
    send: [frame('a'.repeat(40_000), { flags: 0 }), frame('a'.repeat(40_000), { opcode: CONTINUATION })],
    closed: '1009',
  },
  { what: 'text that is no UTF-8', send: [frame(Buffer.from([0xc3, 0x28]))], closed: '1007' },
  { what: 'half a surrogate in UTF-8', send: [frame(Buffer.from([0xed, 0xa0, 0x80]))], closed: '1007' },
  { what: 'a close of one byte', send: [frame('a', { opcode: CLOSE })], closed: '1002' },
  {
    what: 'a close with a code that nobody may send',
    send: [frame(Buffer.from([0x03, 0xed]), { opcode: CLOSE })],
    closed: '1002',
  },
  {
    what: 'a close whose reason is no UTF-8',
    send: [frame(Buffer.from([0x03, 0xe8, 0xff]), { opcode: CLOSE })],
    closed: '1007',
  },
];

const versions: readonly Attack[] = [
  ['version 1.0', '{"type":"session.start","version":"1.0"}'],
  ['no version', '{"type":"session.start"}'],
  ['a version in other letters', '{"type":"session.start","VERSION":"3.0"}'],
  ['a version twice', '{"type":"session.start","version":"3.0","version":"1.0"}'],
  ['a second Version', '{"type":"session.start","version":"3.0","Version":"1.0"}'],
  ['a Type', '{"Type":"session.start","version":"1.0"}'],
  ['escapes', '{"type":"session\\u002estart","version":"1.0"}'],
  ['a byte order mark', '\uFEFF{"type":"session.start","version":"1.0"}'],
  [
    '64 kB of brackets',
    `{"type":"session.start","version":"3.0","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  ],
].map(([what = '', start = '']) => ({
  what: `a session.start with ${what}`,
  send: [frame(start)],
  closed: '1008 invalid_session_start',
}));

const others: readonly Attack[] = [
  { what: 'a binary frame', send: [frame(START, { opcode: BINARY })], closed: '1008 invalid_message' },
  { what: 'an empty binary frame', send: [frame('', { opcode: BINARY })], closed: '1008 invalid_message' },
  {
    what: 'a session.start in four hundred pieces, with pings between them: it is one frame',
    send: [
      ...[...START].flatMap((char, n) => [
        frame(char, { opcode: n === 0 ? TEXT : CONTINUATION, flags: 0 }),
        frame('', { opcode: n % 2 ? PING : PONG }),
      ]),
      frame('', { opcode: CONTINUATION }),
      frame('', { opcode: CLOSE }),
    ],
    closed: 'no code',
    reached: [START],
  },
  {
    what: 'a start of V1 behind which another type stands: what goes on is the other',
    send: [
      frame(START),
      frame('{"type":"session.start","version":"1.0","type":"x"}'),
      frame('', { opcode: CLOSE }),
    ],
    closed: 'no code',
    reached: [START, '{"type":"x","version":"1.0"}'],
  },
  {
    what: 'nonsense, an unknown type and an empty frame: the service has codes for them',
    send: [
      frame(START),
      ...['{', '{"type":"x"}', ''].map((sent) => frame(sent)),
      frame('', { opcode: CLOSE }),
    ],
    closed: 'no code',
    reached: [START, '{', '{"type":"x"}', ''],
  },
  {
    what: 'a text with __proto__: it goes on as it came',
    send: [frame(START), frame('{"type":"text","__proto__":{"a":1}}'), frame('', { opcode: CLOSE })],
    closed: 'no code',
    reached: [START, '{"type":"text","__proto__":{"a":1}}'],
  },
];

for (const { what, send, closed, reached = [] } of [...broken, ...versions, ...others]) {
  test(`${what}: ${closed}, and so says the log`, async () => {
    const socket = await stage.open();
    let answer = Buffer.alloc(0);
    const frames = (): Buffer => answer.subarray(answer.indexOf('\r\n\r\n') + 4);
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      // Whoever is closed hangs up; else the proxy would wait 5 s for that.
      if (closeOf(frames()) !== 'none') socket.end();
    });
    const over = once(socket, 'close');
    socket.write(upgrade());
    const session = await stage.upstream.sessions.next();
    for (const bytes of send) socket.write(bytes);
    await Promise.all([over, session.closed]);
    noSecretIn(answer.toString('latin1'));
    assert.equal(closeOf(frames()), closed);
    assert.deepEqual(
      session.frames.all.map((arrived) => arrived.text),
      reached,
    );
    const { code } = JSON.parse(await stage.program.logged('relay ended')) as { code: number };
    assert.equal(code, closed === 'no code' ? NO_CODE : Number.parseInt(closed));
  });
}

const handshakes: readonly (readonly [what: string, request: string, got: number])[] = [
  ['an Origin of elsewhere', upgrade('Origin: https://evil.example\r\n'), 403],
  ['the Origin null', upgrade('Origin: null\r\n'), 403],
  ['an Origin that begins like a listed one', upgrade(`Origin: ${SITE}.evil.example\r\n`), 403],
  ['a cross-site request without an Origin', upgrade('Sec-Fetch-Site: cross-site\r\n'), 403],
  ['another path', upgrade('', '/sign/ws/../ws/'), 404],
  ['an encoded path', upgrade('', '/sign/%77s/'), 426],
  ['a key that is too short', upgrade().replace('dGhlIHNhbXBsZSBub25jZQ==', 'abc'), 400],
  ['two keys', upgrade('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'), 400],
  ['HTTP/1.0', upgrade().replace('HTTP/1.1', 'HTTP/1.0'), 426],
  ['version 12', upgrade().replace('Version: 13', 'Version: 12'), 400],
  ['a body', upgrade('Content-Length: 6\r\n') + frame('', { opcode: PING }).toString('latin1'), 101],
  ['a header of 17 kB', upgrade(`Cookie: ${'a'.repeat(17_000)}\r\n`), 431],
];
for (const [what, request, got] of handshakes) {
  test(`an upgrade with ${what}: ${got}`, async () => {
    const before = stage.upstream.sessions.all.length;
    const socket = await stage.open();
    socket.write(request, 'latin1');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.deepEqual(statuses(chunk.toString('latin1')), [got]);
    const session = got === 101 ? await stage.upstream.sessions.next() : null;
    socket.destroy();
    await session?.closed;
    assert.equal(stage.upstream.sessions.all.length - before, got === 101 ? 1 : 0);
  });
}

test('an upgrade that asks for compression, a subprotocol and cookies gets none, and none goes up', async () => {
  const socket = await stage.open();
  socket.write(
    upgrade(
      `Origin: ${SITE}\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n` +
        'Sec-WebSocket-Protocol: chat, v1\r\nCookie: a=b\r\nAuthorization: Bearer x\r\nX-API-KEY: x\r\n',
    ),
  );
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  assert.doesNotMatch(chunk.toString('latin1'), /sec-websocket-(extensions|protocol)|set-cookie/i);
  const { request, closed } = await stage.upstream.sessions.next();
  for (const name of [
    'origin',
    'cookie',
    'authorization',
    'sec-websocket-protocol',
    'sec-websocket-extensions',
  ]) {
    assert.equal(request.headers[name], undefined, name);
  }
  socket.destroy();
  await closed;
});

test('a service that says the secrets in a frame and in its closing reason is not repeated', async () => {
  const socket = await stage.open();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(upgrade());
  socket.write(frame(START));
  socket.write(frame(text('a')));
  const session = await stage.upstream.sessions.next();
  await session.frames.next();
  const key = String(session.request.headers['x-api-key']);
  session.socket.send(
    JSON.stringify({ type: 'error', message: key, again: Buffer.from(key).toString('base64') }),
  );
  session.socket.close(1011, key);
  await session.closed;
  socket.end();
  await once(socket, 'close');
  const answer = Buffer.concat(chunks).toString('latin1');
  noSecretIn(answer);
  assert.ok(!answer.includes(Buffer.from(key).toString('base64').slice(0, 20)), answer);
  assert.ok(answer.includes('[redacted]'), answer);
});

test('a guess in an id of a frame comes back as it was, and the same secret is hidden from another client', async () => {
  const answers: string[] = [];
  for (const id of [GUESSED, 'key-of-the-tickets-22']) {
    const socket = await stage.open();
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(upgrade());
    socket.write(frame(START));
    socket.write(frame(JSON.stringify({ type: 'text', id, data: 'Hello.' })));
    const session = await stage.upstream.sessions.next();
    await session.frames.next();
    await session.frames.next();
    session.socket.send(JSON.stringify({ type: 'text.ack', ref: id, of: [GUESSED] }));
    session.socket.close();
    await session.closed;
    socket.end();
    await once(socket, 'close');
    answers.push(Buffer.concat(chunks).toString('latin1'));
  }
  const [right = '', wrong = ''] = answers;
  assert.ok(right.includes(`"ref":"${GUESSED}"`), right);
  assert.ok(wrong.includes('"ref":"key-of-the-tickets-22"') && wrong.includes('"of":["[redacted]"]'), wrong);
});

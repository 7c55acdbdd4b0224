// Hostile WebSockets, byte by byte: how each was closed, and what reached the service.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { closeOf, frame, PING } from '../raw-frames.ts';
import { socketAttacks, START, text } from './attacks/sockets.ts';
import { GUESSED, hostileHarness, noSecretIn, SITE, statuses } from './harness.ts';

const harness = hostileHarness({ SIGN_MESSAGES_PER_MINUTE: '100000', SIGN_MAX_SOCKETS_PER_CLIENT: '100000' });

const upgrade = (headers = '', path = '/sign/ws/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: proxy.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n`;

/** The code for a client that closes without one (RFC 6455, 7.1.5). */
const NO_CODE = 1005;

for (const { what, send, closed, reached = [] } of socketAttacks) {
  test(`${what}: ${closed}, and the log has the same code`, async () => {
    const socket = await harness.open();
    let answer = Buffer.alloc(0);
    const frames = (): Buffer => answer.subarray(answer.indexOf('\r\n\r\n') + 4);
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      // The client closes its connection too; otherwise the proxy would wait for it for 5 s.
      if (closeOf(frames()) !== 'none') socket.end();
    });
    const over = once(socket, 'close');
    socket.write(upgrade());
    const session = await harness.upstream.sessions.next();
    for (const bytes of send) socket.write(bytes);
    await Promise.all([over, session.closed]);
    noSecretIn(answer.toString('latin1'));
    assert.equal(closeOf(frames()), closed);
    assert.deepEqual(
      session.frames.all.map((arrived) => arrived.text),
      reached,
    );
    const { code } = JSON.parse(await harness.program.logged('relay ended')) as { code: number };
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
  ['a body', upgrade('Content-Length: 6\r\n') + frame('', { opcode: PING }).toString('latin1'), 400],
  ['a body in chunks', upgrade('Transfer-Encoding: chunked\r\n') + '0\r\n\r\n', 400],
  ['an empty body', upgrade('Content-Length: 0\r\n'), 101],
  ['a header of 17 kB', upgrade(`Cookie: ${'a'.repeat(17_000)}\r\n`), 431],
];
for (const [what, request, got] of handshakes) {
  test(`an upgrade with ${what}: ${got}`, async () => {
    const before = harness.upstream.sessions.all.length;
    const socket = await harness.open();
    socket.write(request, 'latin1');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.deepEqual(statuses(chunk.toString('latin1')), [got]);
    const session = got === 101 ? await harness.upstream.sessions.next() : null;
    socket.destroy();
    await session?.closed;
    assert.equal(harness.upstream.sessions.all.length - before, got === 101 ? 1 : 0);
  });
}

test('an upgrade that asks for compression, a subprotocol and cookies gets none, and none goes up', async () => {
  const socket = await harness.open();
  socket.write(
    upgrade(
      `Origin: ${SITE}\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n` +
        'Sec-WebSocket-Protocol: chat, v1\r\nCookie: a=b\r\nAuthorization: Bearer x\r\nX-API-KEY: x\r\n',
    ),
  );
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  assert.doesNotMatch(chunk.toString('latin1'), /sec-websocket-(extensions|protocol)|set-cookie/i);
  const { request, closed } = await harness.upstream.sessions.next();
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

test('secrets that a service writes in a frame and in its closing reason do not reach the client', async () => {
  const socket = await harness.open();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(upgrade());
  socket.write(frame(START));
  socket.write(frame(text('a')));
  const session = await harness.upstream.sessions.next();
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

test('a secret that a client has guessed in the id of a frame comes back unchanged, and another client does not see it', async () => {
  const answers: string[] = [];
  for (const id of [GUESSED, 'key-of-the-tickets-22']) {
    const socket = await harness.open();
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(upgrade());
    socket.write(frame(START));
    socket.write(frame(JSON.stringify({ type: 'text', id, data: 'Hello.' })));
    const session = await harness.upstream.sessions.next();
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

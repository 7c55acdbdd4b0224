// Texts that a client sends before the service's socket is open.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { SESSION_START } from '../client-socket.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { frame } from '../raw-frames.ts';
import { spentBy } from '../spending-harness.ts';

test('each text that waits for the service counts with its own characters, and goes up as it was sent', async (t) => {
  const proxy = await mountedProxy(t);
  const texts = [
    '{"type":"text","id":"0","data":"Fünf"}',
    '{ "type": "text", "id": "1", "data": "One two three" }',
    '{"type":"text","id":"2","data":"Four"}',
  ];
  const { hostname, port } = new URL(proxy.origin);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const request =
    `GET /sign/ws/ HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  // In one packet, so that the proxy has read all frames when it asks the service for a socket.
  socket.write(
    Buffer.concat([Buffer.from(request), ...[SESSION_START, ...texts].map((text) => frame(text))]),
  );
  const session = await proxy.upstream.sessions.next();
  await session.frames.next();
  for (const text of texts) assert.equal((await session.frames.next()).text, text);
  assert.equal(await spentBy(proxy, 'characters'), 'FünfOne two threeFour'.length);
});

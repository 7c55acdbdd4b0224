// The check of a service that accepts a connection and then says nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { reachabilityCheck } from '../../../proxy/upstream/reachability.ts';
import { manualClock } from '../manual-clock.ts';

test('no answer in 2 s counts as not there, and the connection is let go', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const clock = manualClock();
  const isThere = reachabilityCheck(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock);
  const connected = once(server, 'connection');
  const answer = isThere();
  const [socket] = (await connected) as [Socket];
  socket.on('error', () => undefined);
  const gone = once(socket.resume(), 'close');
  clock.advance(2_000);
  assert.equal(await answer, false);
  await gone;
  assert.equal(clock.pending, 0);
});

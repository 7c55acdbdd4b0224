// A service that gets another address while requests keep the connection to the old one busy, as after a failover in DNS.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createMetrics } from '../../../proxy/metrics.ts';
import { createUpstream, type UpstreamRequest } from '../../../proxy/upstream/upstream.ts';
import { listen } from '../../listening.ts';
import { manualClock } from '../manual-clock.ts';

const get: UpstreamRequest = { method: 'GET', path: '/a', headers: {} };

test('a service that moves is reached at its new address within a minute, though its old one goes on answering', async (t) => {
  let connections = 0;
  const old = createServer((_request, response) => void response.writeHead(503).end()).on(
    'connection',
    () => {
      connections += 1;
    },
  );
  const port = await listen(old);
  const next = createServer((_request, response) => void response.writeHead(200).end());
  await new Promise<void>((done) => next.listen(port, '127.0.0.2', done));
  assert.equal((next.address() as AddressInfo).port, port);
  let address = '127.0.0.1';
  const found = (_host: string, _options: object, answer: (error: null, addresses: object[]) => void): void =>
    answer(null, [{ address, family: 4 }]);
  t.mock.method(dns, 'lookup', found as never);
  const clock = manualClock();
  const upstream = createUpstream(`http://busy.example:${port}`, clock, createMetrics());
  t.after(() => {
    upstream.close();
    old.close();
    next.close();
  });
  const statusAt = async (second: number): Promise<number> => {
    clock.advance(second === 0 ? 0 : 1_000);
    return (await upstream.request(get)).status;
  };
  assert.equal(await statusAt(0), 503);
  address = '127.0.0.2';
  for (let second = 1; second <= 60; second += 1) assert.equal(await statusAt(second), 503);
  assert.equal(await statusAt(61), 200);
  assert.equal(connections, 1);
});

// Many addresses of one holder: the limits that an IPv6 /56 and a /48 share, and the places that the slow requests of many
// addresses leave to others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientRate } from '../../../proxy/limits/client-rate.ts';
import { openSockets } from '../../../proxy/limits/sockets.ts';
import { createMetrics } from '../../../proxy/metrics.ts';
import { createUpstream, type UpstreamRequest } from '../../../proxy/upstream/upstream.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { manualClock } from '../manual-clock.ts';

const GET: UpstreamRequest = { method: 'GET', path: '/a', headers: {} };

test('the /56 and the /48 around an IPv6 client have 4 and 16 times its rate, and other networks keep theirs', () => {
  const rate = clientRate(10, manualClock());
  const passed = (count: number, address: (n: number) => string): number =>
    Array.from({ length: count }, (_, n) => rate(address(n))).filter((seconds) => seconds === 0).length;
  assert.equal(
    passed(20, () => '2001:db8:1:100::/64'),
    10,
  );
  assert.equal(
    passed(200, (n) => `2001:db8:1:${(0x100 + n).toString(16)}::/64`),
    30,
    'the rest of one /56',
  );
  assert.equal(
    passed(20_000, (n) => `2001:db8:1:${(0x200 + n).toString(16)}::/64`),
    120,
    'the rest of the /48',
  );
  assert.equal(rate.wait('2001:db8:1:ff00::/64'), 0.375, 'until one of the /48 is filled');
  assert.equal(
    passed(20, () => '2001:db8:2:0::/64'),
    10,
  );
  assert.equal(
    passed(20, () => '192.0.2.1'),
    10,
  );
});

test('the /56 and the /48 around an IPv6 client have 4 and 16 times its sockets, and a closed socket makes room there too', () => {
  const sockets = openSockets(2);
  const openOf = (address: (n: number) => string): (() => void)[] =>
    Array.from({ length: 500 }, (_, n) => sockets.open(address(n))).filter(
      (leave) => typeof leave === 'function',
    );
  assert.equal(openOf(() => '2001:db8:1:100::/64').length, 2);
  const ofHousehold = openOf((n) => `2001:db8:1:${(0x100 + (n % 256)).toString(16)}::/64`);
  assert.equal(ofHousehold.length, 6, 'the rest of one /56');
  assert.equal(
    openOf((n) => `2001:db8:1:${(0x200 + n * 7).toString(16)}::/64`).length,
    24,
    'the rest of the /48',
  );
  assert.equal(sockets.open('2001:db8:1:ff00::/64'), 'too_many_sockets');
  assert.equal(typeof sockets.open('2001:db8:2:0::/64'), 'function');
  ofHousehold[0]?.();
  assert.equal(typeof sockets.open('2001:db8:1:ff00::/64'), 'function');
});

test('slow requests of sixteen clients, and of a whole IPv6 /48, leave places for the others', async (t) => {
  const clients = [
    (n: number): string => `192.0.2.${n % 16}`,
    (n: number): string => `2001:db8:1:${(n * 7).toString(16)}::/64`,
  ];
  for (const client of clients) {
    const service = await fakeUpstream();
    const upstream = createUpstream(service.url, manualClock(), createMetrics());
    t.after(async () => {
      upstream.close();
      await service.close();
    });
    const waiting: (() => void)[] = [];
    let isSlow = true;
    service.answer = (response) => {
      if (isSlow) waiting.push(() => response.end());
      else response.end();
    };
    const refused: string[] = [];
    const asked = Array.from({ length: 1_000 }, (_, n) =>
      upstream
        .request({ ...GET, client: client(n) })
        .catch(({ code }: { code: string }) => void refused.push(code)),
    );
    // Requests that are refused are refused at once.
    await new Promise((go) => setImmediate(go));
    const under = 1_000 - refused.length;
    assert.ok(under > 128 && under <= 172, `${under} are under way`);
    assert.deepEqual([...new Set(refused)], ['rate_limited']);
    while (waiting.length < under) await service.asked.next();
    isSlow = false;
    for (let n = 0; n < 64; n += 1) {
      assert.equal((await upstream.request({ ...GET, client: `198.51.100.${n}` })).status, 200);
    }
    for (const answer of waiting) answer();
    await Promise.all(asked);
  }
});

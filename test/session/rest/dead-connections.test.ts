// A network that was away: the connections that the browser has kept to the proxy are dead, and the browser does not know it.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { SignError } from '../../../src/protocol/sign-error.ts';
import { createSignClient } from '../../../src/session/rest/rest-client.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { PROXY } from '../fake-proxy.ts';
import { ManualClock } from '../manual-clock.ts';
import { clientHarness, watched } from './rest-harness.ts';

const MOST = 6;

/** The connections of a browser to a server. A request takes a kept one; a request on a dead one waits until it is aborted. */
class Connections {
  /** How many are dead. While the network is away, all are. */
  dead = MOST;
  /** Methods of the requests that the proxy got. */
  readonly arrived: string[] = [];
  #taken = 0;
  readonly #answers: Readonly<Record<string, object>>;

  /** @param answers by the end of the address */
  constructor(answers: Readonly<Record<string, object>>) {
    this.#answers = answers;
  }

  readonly fetch = async (address: string, { method = 'GET', signal }: RequestInit): Promise<Response> => {
    const aborted = new Promise<never>((_, reject) =>
      signal!.addEventListener('abort', () => reject(signal!.reason as Error)),
    );
    aborted.catch(() => {});
    signal!.throwIfAborted();
    // A browser opens no more connections than `MOST`.
    if (this.#taken === MOST) return aborted;
    this.#taken += 1;
    try {
      if (this.dead > 0) {
        this.dead -= 1;
        return await aborted;
      }
      this.arrived.push(method);
      if (method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/javascript' } });
      const [, answer] = Object.entries(this.#answers).find(([end]) => address.endsWith(end))!;
      return Response.json(answer);
    } finally {
      this.#taken -= 1;
    }
  };
}

function open(answers: Readonly<Record<string, object>>) {
  const connections = new Connections(answers);
  const clock = new ManualClock();
  const { fetch } = connections;
  const client = createSignClient({ proxy: PROXY, fetch, clock, random: () => 0 });
  return { connections, clock, client };
}

const session = { sessionId: 'l-1', status: 'active' };

test('a look-up on dead connections, as many as a browser keeps, is answered after 10 s', async () => {
  const { connections, clock, client } = open({ '/l-1': session });
  const seen = watched(client.liveSession('l-1'));
  await clock.advance(9_999);
  assert.deepEqual(seen, {});
  await clock.advance(1);
  await promisesSettled();
  assert.deepEqual([seen.value?.status, connections.arrived], ['active', ['HEAD', 'GET']]);
  assert.equal(clock.pending, 0);
});

test('an announcement on dead connections is submitted once, after 7 s', async () => {
  const { connections, clock, client } = open({
    '/train-announcements': { data: { id: 'r-1' } },
    '?filter=status': { data: { status: 'COMPLETED', url: 'https://media.example/a.mp4' } },
  });
  const seen = watched(client.announce({ destination: 'EDB' }));
  await clock.advance(6_999);
  assert.deepEqual(connections.arrived, []);
  await clock.advance(1);
  await promisesSettled();
  assert.deepEqual(connections.arrived, ['HEAD', 'POST']);
  await clock.advance(1_000);
  await promisesSettled();
  assert.equal(seen.value?.requestId, 'r-1');
  assert.equal(clock.pending, 0);
});

test('an announcement with some dead connections is submitted once, after 2 s', async () => {
  const { connections, clock, client } = open({ '/train-announcements': { data: { id: 'r-1' } } });
  connections.dead = 3;
  const stop = new AbortController();
  watched(client.announce({ destination: 'EDB' }, { signal: stop.signal }));
  await clock.advance(2_000);
  await promisesSettled();
  assert.deepEqual(
    connections.arrived.filter((method) => method === 'POST'),
    ['POST'],
  );
  stop.abort();
  await promisesSettled();
  assert.equal(clock.pending, 0);
});

test('a look-up in a network that is away for 30 s is answered within 8 s after it', async () => {
  const { connections, clock, client } = open({ '/l-1': session });
  connections.dead = Infinity;
  const warnings: string[] = [];
  const retrying = ({ code, severity }: SignError) => warnings.push(`${severity} ${code}`);
  const seen = watched(client.liveSession('l-1', { retrying }));
  await clock.advance(30_000);
  connections.dead = 0;
  await clock.advance(8_000);
  await promisesSettled();
  assert.equal(seen.value?.status, 'active');
  assert.deepEqual(warnings, ['warning no_answer', ...Array<string>(3).fill('warning proxy_unreachable')]);
  assert.equal(clock.pending, 0);
});

test('a look-up that the service takes 50 s to answer is answered', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.liveSession('l-1'));
  await promisesSettled();
  await clock.advance(8_000);
  assert.deepEqual([proxy.asked[0]!.signal.aborted, proxy.asked.length], [true, 2]);
  await clock.advance(50_000);
  await proxy.last.answer(session);
  assert.deepEqual([seen.value?.status, proxy.asked.length, clock.pending], ['active', 2, 0]);
});

test('a look-up that is never answered is made twice and has failed after 68 s', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.silence());
  await clock.advance(67_999);
  assert.deepEqual(seen, {});
  await clock.advance(1);
  assert.equal(seen.error?.code, 'no_answer');
  await clock.advance(600_000);
  assert.deepEqual([proxy.asked.length, clock.pending], [2, 0]);
});

test('a look-up whose answer has begun may take a minute, because a slow network delivers it slowly', async () => {
  const { proxy, client, clock } = clientHarness();
  const seen = watched(client.liveSession('l-1'));
  await promisesSettled();
  await clock.advance(7_000);
  const end = await proxy.last.begin();
  await clock.advance(50_000);
  await end(session);
  assert.deepEqual([seen.value?.status, proxy.asked.length, clock.pending], ['active', 1, 0]);
});

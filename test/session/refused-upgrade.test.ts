// Of a refused upgrade a page sees only the close code 1006, so an HTTP request to the same address gives the error.
import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultProxy, setDefaultProxy } from '../../src/internal/script-base.ts';
import type { Fetch } from '../../src/session/diagnose-upgrade.ts';
import type { SignError } from '../../src/protocol/sign-error.ts';
import { promisesSettled } from '../promises-settled.ts';
import { reasonOf, Harness } from './harness.ts';

interface Asked {
  readonly address: string;
  readonly mode: RequestMode | undefined;
}

/** A harness whose proxy answers over HTTP with the result of `answer`, and its requests. */
function refusing(answer: (asked: Asked, signal: AbortSignal) => Response | Promise<Response>) {
  const asked: Asked[] = [];
  const fetch: Fetch = async (address, { mode, signal }) => {
    asked.push({ address, mode });
    return answer({ address, mode }, signal as AbortSignal);
  };
  return { harness: new Harness({ fetch }), asked };
}

/** A request over HTTP takes a few turns of the event loop. */
const answered = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await promisesSettled();
};

/** Connects, refuses the upgrade, and waits for the answer over HTTP. */
async function refuse(harness: Harness): Promise<void> {
  void harness.session.connect();
  harness.socket.refuse();
  await answered();
}

const problem = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json; charset=utf-8', ...headers },
  });

const answers: [behaviour: string, answer: () => Response, code: string][] = [
  [
    'names too_many_sockets',
    () => problem(429, { code: 'too_many_sockets', title: 'Too Many Requests', status: 429 }),
    'too_many_sockets',
  ],
  ['names origin_refused', () => problem(403, { code: 'origin_refused' }), 'origin_refused'],
  ['names a code that is not ours', () => problem(418, { code: 'teapot' }), 'session_failed'],
  ['names a code that is an object member', () => problem(400, { code: 'constructor' }), 'session_failed'],
  ['would take the upgrade now', () => problem(426, { code: 'upgrade_required' }), 'session_failed'],
  ['is that of a proxy that restarts', () => problem(503, { code: 'restarting' }), 'proxy_unreachable'],
  ['is of a dev server that finds no proxy', () => new Response('', { status: 500 }), 'proxy_unreachable'],
  ['is of a balancer in front', () => new Response('<h1>502</h1>', { status: 502 }), 'proxy_unreachable'],
  [
    'is the login page of a network with 511',
    () => new Response('<h1>Log in</h1>', { status: 511 }),
    'proxy_unreachable',
  ],
  [
    'is of a gateway that limits requests',
    () => new Response('<h1>429</h1>', { status: 429 }),
    'rate_limited',
  ],
  ['names a limit of requests', () => problem(429, { code: 'rate_limited' }), 'rate_limited'],
  ['is that of a proxy with too many requests', () => problem(503, { code: 'overloaded' }), 'overloaded'],
  ['is a problem that cannot be read', () => problem(503, 'nothing'), 'upstream_unreachable'],
];

for (const [behaviour, answer, code] of answers) {
  test(`a refused upgrade whose HTTP answer ${behaviour} is ${code}`, async () => {
    const { harness, asked } = refusing(answer);
    void harness.session.connect();
    harness.socket.refuse();
    await answered();
    assert.equal(harness.errors[0]?.code, code);
    const requests = code === 'session_failed' ? 2 : 1;
    assert.deepEqual(
      asked,
      Array(requests).fill({ address: 'https://page.example/sign/ws/', mode: undefined }),
    );
    assert.equal(harness.session.state, code === 'origin_refused' ? 'failed' : 'reconnecting');
    void harness.session.end();
    harness.assertNothingLeft();
  });
}

test('where another server answers, the session does not wait for a proxy: the error names the address', async () => {
  for (const status of [200, 404]) {
    const { harness } = refusing(() => new Response('<h1>Shop</h1>', { status }));
    const refused = harness.session.connect().catch((error: unknown) => error as SignError);
    harness.socket.refuse();
    await answered();
    const { code, message } = (await refused) as SignError;
    assert.equal(code, 'proxy_unreachable');
    assert.match(message, /^no sign proxy at https:\/\/page\.example\/sign: /);
    assert.equal(harness.session.state, 'failed');
    harness.assertNothingLeft();
  }
});

test('an HTML page in place of the proxy that delivered the script is temporary, and the client tries again', async (t) => {
  const before = defaultProxy();
  t.after(() => setDefaultProxy(before));
  setDefaultProxy('https://page.example/sign');
  for (const [status, state] of [
    [200, 'reconnecting'],
    [404, 'failed'],
  ] as const) {
    const { harness } = refusing(() => new Response('<h1>Log in</h1>', { status }));
    void harness.session.connect().catch(() => {});
    harness.socket.refuse();
    await answered();
    assert.equal(harness.session.state, state);
    void harness.session.end();
    harness.assertNothingLeft();
  }
});

test('another server in place of a proxy that had a session is temporary, and the client tries again', async () => {
  const { harness } = refusing(() => new Response('<h1>Maintenance</h1>', { status: 200 }));
  void harness.session.connect();
  await harness.ready();
  harness.socket.drop();
  await harness.clock.advance(1_000);
  harness.socket.refuse();
  await answered();
  assert.equal(harness.session.state, 'reconnecting');
  void harness.session.end();
});

test('after a refusal that may pass the next attempt is made, and gets its session', async () => {
  const { harness } = refusing(() => problem(429, { code: 'too_many_sockets' }));
  const connected = harness.session.connect();
  harness.socket.refuse();
  await harness.reconnected();
  await connected;
});

const sevenSeconds: [how: string, headers: Record<string, string>][] = [
  ['its seconds', { 'retry-after': '7' }],
  // V8 takes "7.0" for a day.
  ['a fraction of seconds', { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': '7.0' }],
  ['a date', { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }],
];

for (const [how, headers] of sevenSeconds) {
  test(`after a refusal that names ${how} the session waits that long`, async () => {
    const { harness } = refusing(() => problem(429, { code: 'too_many_sockets' }, headers));
    void harness.session.connect();
    harness.socket.refuse();
    await answered();
    await harness.clock.advance(6_999);
    assert.equal(harness.sockets.length, 1);
    await harness.clock.advance(1);
    assert.equal(harness.sockets.length, 2);
    void harness.session.end();
  });
}

test('a time to wait that no one can mean is not waited for', async () => {
  const headers = { 'retry-after': '99999999999999' };
  const { harness } = refusing(() => problem(429, { code: 'too_many_sockets' }, headers));
  await refuse(harness);
  await harness.clock.advance(1_000);
  assert.equal(harness.sockets.length, 2);
  void harness.session.end();
});

test('an unreadable problem document does not count as an answer hidden by CORS', async () => {
  const { harness, asked } = refusing(
    () => new Response('{', { status: 500, headers: { 'content-type': 'application/problem+json' } }),
  );
  await refuse(harness);
  assert.equal(harness.errors[0]?.code, 'upstream_unreachable');
  assert.equal(asked.length, 1);
});

test('the error carries the detail of the answer and the id of the request', async () => {
  const { harness } = refusing(() =>
    problem(429, { code: 'too_many_sockets', detail: 'at most 32' }, { 'x-request-id': 'r-1' }),
  );
  await refuse(harness);
  const [{ error } = assert.fail('no sign-error')] = harness.details('sign-error');
  assert.equal(error.message, 'at most 32');
  assert.equal(error.requestId, 'r-1');
  assert.equal(error.severity, 'warning');
});

const isScript = (address: string): boolean => address === 'https://page.example/sign/elements.js';

test('an answer hidden by CORS is origin_refused: the proxy is there, for it serves its script to every origin', async () => {
  const { harness, asked } = refusing(({ mode, address }) => {
    if (mode === 'no-cors' || isScript(address)) return new Response();
    throw new TypeError('Failed to fetch');
  });
  const reason = reasonOf(harness.session.connect());
  harness.socket.refuse();
  assert.equal(await reason, 'origin_refused');
  assert.deepEqual(
    asked.map(({ mode }) => mode),
    [undefined, 'no-cors', undefined, undefined, undefined],
  );
});

test('an answer hidden by CORS of a gateway that does not reach the proxy is proxy_unreachable, and may pass', async () => {
  const { harness } = refusing(({ mode }) => {
    if (mode === 'no-cors') return new Response();
    throw new TypeError('Failed to fetch');
  });
  const connected = harness.session.connect();
  harness.socket.refuse();
  await answered();
  assert.equal(harness.errors[0]?.code, 'proxy_unreachable');
  assert.equal(harness.session.state, 'reconnecting');
  await harness.reconnected();
  await connected;
});

test('a proxy that was restarted between two requests is no refusal, and the next attempt is made', async () => {
  let there = false;
  const { harness } = refusing(({ mode }) => {
    there ||= mode === 'no-cors';
    if (!there) throw new TypeError('Failed to fetch');
    return problem(426, { code: 'upgrade_required' });
  });
  const connected = harness.session.connect();
  harness.socket.refuse();
  await answered();
  assert.equal(harness.errors[0]?.code, 'session_failed');
  await harness.reconnected();
  await connected;
});

for (const [what, misses] of [
  ['reaches its proxy again only when the script is asked for', 0],
  ['then sends one more request to another proxy, which is not there', 1],
] as const) {
  test(`a gateway that ${what} is no refusal, and the next attempt is made`, async () => {
    let left = Infinity;
    const { harness } = refusing(({ mode, address }) => {
      if (isScript(address)) left = misses;
      else if (mode !== 'no-cors' && left-- > 0) throw new TypeError('Failed to fetch');
      return isScript(address) ? new Response() : problem(426, { code: 'upgrade_required' });
    });
    const connected = harness.session.connect();
    harness.socket.refuse();
    await answered();
    assert.equal(harness.errors[0]?.code, 'session_failed');
    await harness.reconnected();
    await connected;
  });
}

test('no answer at all is proxy_unreachable', async () => {
  const { harness, asked } = refusing(() => {
    throw new TypeError('Failed to fetch');
  });
  await refuse(harness);
  assert.equal(harness.errors[0]?.code, 'proxy_unreachable');
  assert.equal(asked.length, 2);
});

test('the HTTP request waits 5 s for an answer and is then aborted', async () => {
  const signals: AbortSignal[] = [];
  const { harness } = refusing((_, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  void harness.session.connect();
  await harness.clock.advance(9_000);
  harness.socket.refuse();
  await harness.clock.advance(4_999);
  assert.equal(harness.session.state, 'connecting');
  await harness.clock.advance(1);
  assert.equal(harness.errors[0]?.code, 'proxy_unreachable');
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
});

test('end() aborts the HTTP request', async () => {
  const signals: AbortSignal[] = [];
  const { harness } = refusing((_, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  void harness.session.connect();
  harness.socket.refuse();
  assert.equal(await harness.session.end(), null);
  assert.equal(signals[0]?.aborted, true);
  assert.equal(harness.session.state, 'ended');
  assert.deepEqual(harness.errors, []);
  harness.assertNothingLeft();
});

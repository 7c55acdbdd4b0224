// The session against the sandbox through the proxy, over real sockets: every drop point and every code, and each text
// signed just once. The waits are the real ones, but the jitter makes each backoff zero.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { WebSocket } from 'ws';
import { startSandbox, type Fault, type Sandbox } from '../../demo/sandbox/index.ts';
import { createSignProxy, readConfig, type SignProxy } from '../../proxy/index.ts';
import { proxyVariables } from '../backend/proxy-variables.mjs';
import { SignSession } from '../../src/client.ts';
import { serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import type { SessionEventMap } from '../../src/session/session-types.ts';
import { reasonOf } from './harness.ts';

const texts = ['One.', 'Two.', 'Three.'];

let sandbox: Sandbox;
let proxy: SignProxy;
let url: string;
/** Where each text's video is: the same text has the same one. */
const places = new Map<string, string>();
/** The sessions of the test that runs. */
const sessions: SignSession[] = [];

before(async () => {
  sandbox = await startSandbox({
    render: { framesPerWord: 2, scale: 0.25 },
    limits: { max_messages_per_minute: 10_000 },
  });
  const env = { ...proxyVariables(sandbox.addresses), SIGN_MESSAGES_PER_MINUTE: '100000' };
  proxy = createSignProxy(readConfig(env));
  url = `${(await proxy.listen()).replace('http', 'ws')}/sign/ws/`;
  await withFaults([], async () => {
    const { session } = opened();
    for (const text of texts) places.set(text, new URL((await session.sign(text).result).url ?? '').pathname);
  });
});

after(async () => {
  await proxy.close();
  await sandbox.close();
});

function opened(mode: 'translate' | 'stream' = 'translate') {
  const session = new SignSession({
    url,
    config: { digital_signer: 'RAE', resolution: '480p' },
    mode,
    webSocket: WebSocket,
    random: () => 0,
  });
  sessions.push(session);
  const results: string[] = [];
  const errors: SessionEventMap['sign-error'][] = [];
  session.on('sign-result', ({ text, url: place }) => {
    assert.equal(new URL(place).pathname, places.get(text) ?? new URL(place).pathname);
    results.push(text);
  });
  session.on('sign-error', (detail) => errors.push(detail));
  return { session, results, errors };
}

/** Ends the sessions afterwards. */
async function withFaults(faults: Fault[], run: () => Promise<void>): Promise<void> {
  sandbox.setFaults(faults);
  try {
    await run();
  } finally {
    sandbox.setFaults([]);
    await Promise.all(sessions.splice(0).map((session) => session.end()));
  }
}

const points = [
  [1, 'session.ready, before the texts'],
  [2, 'the first acknowledgement'],
  [3, 'the second acknowledgement'],
  [4, 'all acknowledgements'],
  [5, 'the first result'],
  [6, 'the second result'],
  [7, 'all results'],
] as const;

for (const [frames, point] of points) {
  test(`a socket that breaks off after ${point} loses no text, and none is signed twice`, () =>
    withFaults([{ fault: 'drop_socket', after_frames: frames, count: 1 }], async () => {
      const { session, results } = opened();
      await Promise.all(texts.map((text) => session.sign(text).result));
      assert.deepEqual(results.toSorted(), texts.toSorted());
    }));
}

test('a socket that breaks off five times in a row loses no text either', () =>
  withFaults([{ fault: 'drop_socket', after_frames: 3, count: 5 }], async () => {
    const { session, results } = opened();
    await Promise.all(texts.map((text) => session.sign(text).result));
    assert.deepEqual(results.toSorted(), texts.toSorted());
  }));

test('the result of a text that was acknowledged when the socket broke off is fetched, and not made again', () =>
  withFaults([{ fault: 'drop_socket', after_frames: 2, count: 1 }], async () => {
    const { session } = opened();
    // The clip exists already, so it is ready by the time that the next session fetches it.
    const { ref, result } = session.sign('One.');
    assert.equal((await result).ref, ref);
    assert.equal((await session.end())?.usage['messages_processed'], 0);
  }));

for (const code of Object.keys(serviceErrors) as ServiceErrorCode[]) {
  const { retryable, severity } = serviceErrors[code];
  const survives = retryable || severity === 'session';
  test(`${code}: the text ${survives ? 'is signed' : 'rejects with it'}, and the others are signed`, () =>
    withFaults([{ fault: 'error', code, retry_after_seconds: 0.05, text: 1, count: 1 }], async () => {
      const { session, errors } = opened();
      const [first, ...others] = texts.map((text) => session.sign(text));
      assert.ok(first, 'there is a first text');
      assert.equal(await reasonOf(first.result), survives ? 'resolved' : code);
      await Promise.all(others.map(({ result }) => result));
      const reported = errors.map(({ error }) => [error.code, error.severity]);
      assert.deepEqual(reported, [[code, survives ? 'warning' : 'message']]);
      assert.match(errors[0]?.error.requestId ?? '', /./, 'the session is named');
    }));
}

test('a burst keeps within the limits that the service says, so that it never has to refuse', () =>
  withFaults([{ fault: 'limits', limits: { max_inflight: 2 } }], async () => {
    const { session, results, errors } = opened();
    const burst = Array.from({ length: 20 }, (_, index) => texts[index % 3] as string);
    await Promise.all(burst.map((text) => session.sign(text).result));
    assert.equal(results.length, 20);
    assert.deepEqual(errors, []);
  }));

test('in stream mode a text that had not started is signed again in the stream of the next session', () =>
  withFaults([{ fault: 'drop_socket', after_frames: 2, count: 1 }], async () => {
    const { session } = opened('stream');
    const streams: (string | null | undefined)[] = [];
    const appended: string[] = [];
    session.on('sign-ready', () => streams.push(session.manifests?.hls));
    const both = new Promise<void>((resolve) => {
      session.on('sign-appended', ({ ref, acceptedAt }) => {
        assert.equal(typeof acceptedAt, 'number');
        if (appended.push(ref) === 2) resolve();
      });
    });
    const { ref, result } = session.sign('One.');
    assert.equal((await result).url, null);
    await both;
    assert.deepEqual(appended, [ref, ref]);
    assert.equal(new Set(streams).size, 2, 'each session has a stream of its own');
  }));

// Requests that wait for the look-up of a host name: how many of one client may wait, and the check of the caps after the wait.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { until } from '../../until.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';
import { post } from '../translation-exchange.ts';

interface Harness {
  readonly proxy: MountedProxy;
  /** Sends a paid request; resolves when its body is read, or when it is answered before that. */
  send(body: object): Promise<{ readonly response: Promise<Response> }>;
  /** Answers the look-up. */
  answer(): void;
}

async function harness(t: TestContext, env: NodeJS.ProcessEnv = {}): Promise<Harness> {
  const waiting: (() => void)[] = [];
  let read = 0;
  const proxy = await mountedProxy(t, {
    env,
    host: (app) => void app.addHook('preHandler', async () => void (read += 1)),
    resolve: () => new Promise((resolve) => waiting.push(() => resolve(['93.184.216.34']))),
  });
  proxy.upstream.status = 200;
  return {
    proxy,
    async send(body) {
      const before = read;
      const response = post(proxy, body);
      await Promise.race([response, until(() => read > before)]);
      return { response };
    },
    answer: () => waiting.forEach((each) => each()),
  };
}

const text = (data: string) => ({ content: { data } });
const withLogo = (more: object = {}) => ({
  ...text('Hello.'),
  output: { delivery: { config: { logo: { url: 'https://slow.example/logo.png' }, ...more } } },
});

const problemOf = async (response: Response): Promise<unknown> =>
  response.status < 400 ? null : ((await response.json()) as { detail: string }).detail;

test('a request is refused when the cap is reached while it waits for its look-up', async (t) => {
  const { proxy, send, answer } = await harness(t, { SIGN_DAILY_SECONDS: '5' });
  const { response } = await send(withLogo());
  assert.equal((await post(proxy, text('one '.repeat(20)))).status, 200);
  answer();
  assert.equal((await response).status, 429);
  assert.equal(proxy.upstream.asked.all.length, 1);
});

test('at most sixteen large bodies of a client wait for a look-up, and small bodies need no place', async (t) => {
  const { proxy, send, answer } = await harness(t);
  for (let n = 0; n < 20; n += 1) await send(withLogo());
  const large = withLogo({ more: 'a'.repeat(200_000) });
  const waiting = [];
  for (let n = 0; n < 17; n += 1) waiting.push(await send(large));
  answer();
  const problems = await Promise.all(waiting.map(async ({ response }) => problemOf(await response)));
  const refused = problems.filter((detail) => detail === 'too many bodies of requests are on their way');
  assert.deepEqual(refused, problems.slice(16));
  await until(async () => (await post(proxy, large)).status === 200);
});

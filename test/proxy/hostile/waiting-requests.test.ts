// Requests that wait until a host name is looked up: the caps are checked when the wait is over.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { until } from '../../until.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';
import { post } from '../translation-exchange.ts';

interface Harness {
  readonly proxy: MountedProxy;
  /** Sends a paid request; resolves when its body is read, or when it is answered before that. */
  send(body: object): Promise<{ readonly response: Promise<Response> }>;
  /** Answers it. */
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
const withLogo = () => ({
  ...text('Hello.'),
  output: { delivery: { config: { logo: { url: 'https://slow.example/logo.png' } } } },
});

test('a cap that is reached while a request waits for its look-up refuses it', async (t) => {
  const { proxy, send, answer } = await harness(t, { SIGN_DAILY_SECONDS: '5' });
  const { response } = await send(withLogo());
  assert.equal((await post(proxy, text('one '.repeat(20)))).status, 200);
  answer();
  assert.equal((await response).status, 429);
  assert.equal(proxy.upstream.asked.all.length, 1);
});

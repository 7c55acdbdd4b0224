// The keys of sites that a reload replaces: what the log says of them, and that the service does not tell pages the old ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '../../../proxy/index.ts';
import { SESSION_START } from '../client-socket.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { folder } from '../site-harness.ts';

const COUNT = 60;

test('the old keys of all sites are found in what the service says, after a reload with new ones for all', async (t) => {
  const numbers = Array.from({ length: COUNT }, (_, n) => n);
  const sites = numbers.map((n) => ({
    name: `s${n}`,
    origins: [`https://s${n}.example`],
    apiKeyFile: `key-${n}`,
  }));
  const files = folder(JSON.stringify({ sites }));
  const keyOf = (n: number, which: string): string => `${which}-key-of-account-${n}.`;
  const write = (which: string): void => numbers.forEach((n) => files.write(`key-${n}`, keyOf(n, which)));
  write('first');
  const env = { SIGN_API_KEY: '', SIGN_SITES: files.file };
  const { pair, proxy, upstream } = await mountedProxy(t, { env });
  const { client, session } = await pair({ Origin: 'https://s0.example' });
  client.socket.send(SESSION_START);
  await session.frames.next();
  write('second');
  const reload = (): void => proxy.reload(readConfig({ ...env, SIGN_API_URL: upstream.url }));
  reload();
  reload();
  for (const n of numbers) {
    session.socket.send(JSON.stringify({ type: 'error', message: keyOf(n, 'first') }));
    assert.equal(await client.frames.next(), '{"type":"error","message":"[redacted]"}');
  }
});

test('the log names the sites whose keys or settings have changed', async (t) => {
  const lines: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
  const contentWith = (settings: object): string =>
    JSON.stringify({
      sites: [
        { name: 'a', origins: ['https://a.example'], apiKeyFile: 'a' },
        { name: 'b', origins: ['https://b.example'], apiKeyFile: 'b', ...settings },
      ],
    });
  const files = folder(contentWith({}));
  const env = { SIGN_API_KEY: '', SIGN_SITES: files.file };
  const { proxy, upstream } = await mountedProxy(t, { env, app });
  const changed = (): unknown => {
    proxy.reload(readConfig({ ...env, SIGN_API_URL: upstream.url }));
    const line = lines.findLast((each) => each.includes('sites read anew')) ?? '{}';
    return (JSON.parse(line) as { changed?: unknown }).changed;
  };
  assert.deepEqual(changed(), []);
  files.write('a', 'key-of-the-account-a-2');
  assert.deepEqual(changed(), ['a']);
  files.write('sites.yaml', contentWith({ limits: { sockets: 2 } }));
  assert.deepEqual(changed(), ['b']);
});

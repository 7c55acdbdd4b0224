// What a session still spends after a reload has removed its site.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '../../../proxy/index.ts';
import { SESSION_START } from '../client-socket.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { A, B, folder } from '../site-harness.ts';

const STAYS = `sites: [{ name: a, origins: ['${A}'], apiKeyFile: a }`;
const GOES = `{ name: b, origins: ['${B}'], apiKeyFile: b, limits: { monthlySeconds: 10 } }`;

test('the log does not say that the budget is nearly spent for a session of a removed site', async (t) => {
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const files = folder(`${STAYS}, ${GOES}]`);
  const env = { SIGN_API_KEY: '', SIGN_SITES: files.file };
  const app = Fastify({ logger: { level: 'warn', stream: { write } } });
  const proxy = await mountedProxy(t, { env, app });
  const { client, session } = await proxy.pair({ Origin: B });
  client.socket.send(SESSION_START);
  await session.frames.next();
  files.write('sites.yaml', `${STAYS}]`);
  proxy.proxy.reload(readConfig({ ...env, SIGN_API_URL: proxy.upstream.url }));
  session.socket.send('{"type":"result","ref":"a","url":"https://a.example/a.mp4","duration_seconds":9}');
  await client.frames.next();
  assert.deepEqual(
    lines.filter((line) => line.includes('budget nearly spent')),
    [],
  );
});

// What a site still spends when it is over a cap or stopped by its operator: on streams whose pages send nothing, and on
// announcements.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECK, harness, submit } from '../announcement-harness.ts';
import { SESSION_START } from '../client-socket.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { generate } from '../spending-harness.ts';

const STREAM = SESSION_START.replace('translate', 'stream');

test('a stream over a cap ends within ten seconds although its page sends nothing, and a session in translate mode stays open', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_DAILY_SECONDS: '20' } });
  const [stream, texts] = [await proxy.pair(), await proxy.started()];
  stream.client.socket.send(STREAM);
  await stream.session.frames.next();
  proxy.clock.advance(10_000);
  stream.session.socket.send('{"type":"progress"}');
  assert.equal(await stream.client.frames.next(), '{"type":"progress"}');
  proxy.clock.advance(10_000);
  assert.deepEqual(await stream.client.closed, { code: 1008, reason: 'budget_spent' });
  await stream.session.closed;
  assert.equal(texts.client.socket.readyState, texts.client.socket.OPEN, 'it spends nothing by itself');
});

test('over a cap no announcement can be requested, and an earlier one can still be looked up', async (t) => {
  const all = await harness(t, { env: { SIGN_DAILY_CHARACTERS: '6' } });
  assert.equal((await submit(all)).status, 200);
  all.upstream.status = 200;
  assert.equal((await generate(all)).status, 200);
  const refused = await submit(all);
  const { code } = (await refused.json()) as { code: string };
  assert.deepEqual([refused.status, code, refused.headers.get('retry-after')], [429, 'budget_spent', null]);
  assert.equal(all.api.asked.all.length, 1);
  assert.equal((await fetch(all.origin + CHECK)).status, 200);
});

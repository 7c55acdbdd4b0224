// What is spent by requests that are cut off when the proxy ends.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { manualClock } from '../manual-clock.ts';
import { generate } from '../spending-harness.ts';

test('a request that the proxy cuts off at its end is in the file, because the service may bill it', async (t) => {
  const folder = temporaryFolder();
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  upstream.answer = () => undefined;
  const file = join(folder, 'spending.json');
  const clock = manualClock();
  const env = { SIGN_API_URL: upstream.url, PORT: '0', SIGN_SPENDING_FILE: file };
  const proxy = createSignProxy(readConfig(env), clock);
  const origin = await proxy.listen();
  const cut = assert.rejects(generate({ origin }));
  await upstream.asked.next();
  const closed = proxy.close();
  // It waits for the last requests by now.
  await setImmediate();
  clock.advance(10_000);
  await Promise.all([cut, closed]);
  const sums = Object.values(JSON.parse(readFileSync(file, 'utf8')) as { default: object })[0] as object;
  const [ofDay] = Object.values(sums) as { characters: number }[];
  assert.equal(ofDay?.characters, 'Hello.'.length);
});

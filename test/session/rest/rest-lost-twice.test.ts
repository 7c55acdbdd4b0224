// The browser goes offline while the proxy is lost already, or the proxy is lost twice.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';
import { clientHarness, download, sessionHarness, watched } from './rest-harness.ts';

test('a text under way is sent again when the browser goes offline, also after another text has lost the proxy', async () => {
  const { proxy, network, session } = sessionHarness();
  const { head } = proxy;
  const under = session.sign('A');
  await promisesSettled();
  proxy.head = null;
  void session.sign('B');
  await promisesSettled();
  await proxy.refuseLook();
  assert.equal(session.state, 'reconnecting');
  network.go('offline');
  await proxy.request('A').breakOff();
  await proxy.refuseLook();
  proxy.head = head;
  network.go('online');
  await promisesSettled();
  await proxy.last.answer({}, 426);
  assert.deepEqual(proxy.texts.sort(), ['A', 'A', 'B']);
  await proxy.request('A').video();
  assert.equal(await reasonOf(under.result), 'resolved');
  void session.end();
});

test('a proxy that is away for 30 s, back for 9 s and away again signs a text in these 9 s', async () => {
  const { proxy, client, clock } = clientHarness(0.97);
  proxy.head = null;
  const seen = watched(client.generate(download));
  await promisesSettled();
  let refused = 0;
  const isBack = () => clock.now() >= 30_500 && clock.now() < 39_500;
  for (; clock.now() < 60_000 && proxy.texts.length === 0; await clock.advance(250)) {
    proxy.head = isBack() ? () => new Response() : null;
    if (proxy.heads > refused && !isBack()) await proxy.refuseLook();
    refused = proxy.heads;
  }
  assert.equal(seen.error, undefined);
  assert.equal(proxy.texts.length, 1);
});

// The browser goes offline while the proxy is lost already.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';
import { sessionHarness } from './rest-harness.ts';

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

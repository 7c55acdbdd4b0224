// A stream whose address is refused with an answer that no script can read, in a real browser.
import { expect } from '@open-wc/testing';
import { setFaults } from '../backend/client.ts';
import { heard, inOrder, mount, rejection, unmountAll, until } from './harness.ts';

const now = performance.now.bind(performance);
const { random } = Math;
const { send } = XMLHttpRequest.prototype;

afterEach(async () => {
  performance.now = now;
  Math.random = random;
  XMLHttpRequest.prototype.send = send;
  await unmountAll();
  await setFaults([]);
});

/** Counts the playlists and segments that cannot be read, from now on. */
function watchFailures(): { count: number } {
  const failures = { count: 0 };
  XMLHttpRequest.prototype.send = function (body) {
    this.addEventListener('error', () => (failures.count += 1));
    send.call(this, body);
  };
  return failures;
}

it('when a stream is refused without CORS headers for a minute, waiting texts are signed in another stream', async () => {
  // The next session is tried half a second later, when nothing is refused any more.
  Math.random = () => 0.99;
  const { element, said } = await mount({ mode: 'stream', transport: 'v3' });
  await element.connect();
  await until(() => element.media);
  const onScreen = rejection(element.sign('On screen for some seconds when its stream is refused'));
  const waiting = element.sign('Waits behind it');
  await heard(element, 'sign-start');
  const failures = watchFailures();
  await setFaults([{ fault: 'media_host', cors: false }, { fault: 'media_refused' }]);
  await until(() => failures.count > 3);
  performance.now = () => now() + 60_000;
  expect((await onScreen).code).to.equal('media_error');
  await setFaults([]);
  expect((await waiting).text).to.equal('Waits behind it');
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
  expect(inOrder(said, 'sign-end')).to.deep.equal(['sign-end Waits behind it']);
}).timeout(120_000);

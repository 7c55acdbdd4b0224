// Seeking within the playlist of an element's texts, against the real sandbox. The tests read the painted picture.
import { expect } from '@open-wc/testing';
import { setFaults, setLimits } from '../backend/client.ts';
import { inOrder, mount, unmountAll, until, watchPicture } from './harness.ts';

afterEach(async () => {
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

it('seeks in the playlist to an earlier text, and plays on from there', async () => {
  const { element } = await mount();
  const texts = ['Early', 'Late'];
  await Promise.all(texts.map((text) => element.sign(text)));
  await until(() => element.ended);
  // Slow, because reading the picture may take as long as a text at full speed.
  element.playbackRate = 0.5;
  element.currentTime = 0.2;
  expect(element.ended).to.equal(false);
  const picture = watchPicture(element, texts);
  await until(() => element.ended);
  const shown = (await picture()).map(({ text }) => text).filter((text, at, all) => text !== all[at - 1]);
  expect(shown.at(-1)).to.equal('Late');
  expect(shown).to.include('Early');
});

it('a text that is played again after a seek starts and ends again', async () => {
  const { element, said } = await mount();
  await Promise.all(['Early', 'Late'].map((text) => element.sign(text)));
  await until(() => element.ended);
  said.length = 0;
  element.currentTime = 0.2;
  await until(() => element.ended);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([
    'sign-start Early',
    'sign-end Early',
    'sign-start Late',
    'sign-end Late',
  ]);
});

it('a text that a visitor skips by a seek before it is shown fires no sign-end', async () => {
  const { element, said } = await mount();
  element.playbackRate = 0.5;
  const texts = ['First', 'Second', 'Third'];
  const signed = Promise.all(texts.map((text) => element.sign(text)));
  element.addEventListener('sign-start', ({ detail }) => detail.text === 'First' && element.pause());
  await until(() => inOrder(said, 'sign-result').length === 3 && inOrder(said, 'sign-start').length === 1);
  await until(() => element.buffered.length === 1 && element.buffered.end(0) === element.duration);
  element.currentTime = element.duration - 0.2;
  void element.play();
  await signed;
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([
    'sign-start First',
    'sign-end First',
    'sign-start Third',
    'sign-end Third',
  ]);
  expect(element.stats!.texts).to.equal(2);
});

it('a position that is no number, as from a slider that divides by a duration of NaN, causes no seek', async () => {
  const { element } = await mount();
  await element.sign('Once');
  await until(() => element.ended);
  const end = element.currentTime;
  element.currentTime = NaN;
  expect([element.ended, element.currentTime]).to.deep.equal([true, end]);
});

it('sign-start comes before sign-end, also when the browser reports no painted frame', async () => {
  const { element, said } = await mount();
  const { requestVideoFrameCallback } = HTMLVideoElement.prototype;
  HTMLVideoElement.prototype.requestVideoFrameCallback = () => 1;
  try {
    await Promise.all(['One', 'Two'].map((text) => element.sign(text)));
  } finally {
    HTMLVideoElement.prototype.requestVideoFrameCallback = requestVideoFrameCallback;
  }
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([
    'sign-start One',
    'sign-end One',
    'sign-start Two',
    'sign-end Two',
  ]);
});

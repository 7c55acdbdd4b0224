// What the probe of transparent WebM says of browsers that do not play it well, which are made of this one; what it says of
// this one is seen in the test of `<sign-announcement>`.
import { expect } from '@open-wc/testing';
import type { playsAlphaWebm as asked } from '../../src/playback/alpha-webm.ts';

const { play } = HTMLMediaElement.prototype;
const { drawImage } = CanvasRenderingContext2D.prototype;
afterEach(() => {
  HTMLMediaElement.prototype.play = play;
  CanvasRenderingContext2D.prototype.drawImage = drawImage;
});

let pages = 0;
/** As on a page where nobody has asked before. */
async function onNewPage(): Promise<typeof asked> {
  const address = `/src/playback/alpha-webm.ts?page=${(pages += 1)}`;
  return ((await import(address)) as { playsAlphaWebm: typeof asked }).playsAlphaWebm;
}

/** A browser whose pictures are as `change` makes them. */
function paints(change: (context: CanvasRenderingContext2D, draw: () => void) => void): void {
  CanvasRenderingContext2D.prototype.drawImage = function (
    this: CanvasRenderingContext2D,
    ...args: unknown[]
  ): void {
    change(this, () => Reflect.apply(drawImage, this, args) as void);
  } as typeof drawImage;
}

it('says no where a WebM plays on black', async () => {
  const playsAlphaWebm = await onNewPage();
  paints((context, draw) => {
    context.fillStyle = '#000';
    context.fillRect(0, 0, 300, 150);
    draw();
  });
  expect(await playsAlphaWebm()).to.equal(false);
});

it('says no where transparency is that of another frame', async () => {
  const playsAlphaWebm = await onNewPage();
  let looks = 0;
  paints((context, draw) => {
    draw();
    if ((looks += 1) < 10) return;
    // Black where the signer is to be seen.
    context.globalCompositeOperation = 'source-atop';
    context.fillStyle = '#000';
    context.fillRect(0, 0, 300, 150);
    context.globalCompositeOperation = 'source-over';
  });
  expect(await playsAlphaWebm()).to.equal(false);
});

it('says no where nothing moves, and looks again the next time', async () => {
  const playsAlphaWebm = await onNewPage();
  let starts = 0;
  HTMLMediaElement.prototype.play = () => {
    starts += 1;
    return Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  };
  expect([await playsAlphaWebm(), await playsAlphaWebm()]).to.deep.equal([false, false]);
  expect(starts).to.equal(2);
});

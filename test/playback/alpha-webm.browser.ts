// The probe of transparent WebM in browsers that do not play it well.
// - The tests change this browser so that it behaves like them. The test of `<sign-announcement>` shows what the probe says of
//   this browser as it is.
import { expect } from '@open-wc/testing';
import type { playsAlphaWebm as asked } from '../../src/playback/alpha-webm.ts';

const { play } = HTMLMediaElement.prototype;
const { drawImage } = CanvasRenderingContext2D.prototype;
afterEach(() => {
  HTMLMediaElement.prototype.play = play;
  CanvasRenderingContext2D.prototype.drawImage = drawImage;
});

let pages = 0;
/** The probe as on a new page, where it has not run before. */
async function onNewPage(): Promise<typeof asked> {
  const address = `/src/playback/alpha-webm.ts?page=${(pages += 1)}`;
  return ((await import(address)) as { playsAlphaWebm: typeof asked }).playsAlphaWebm;
}

/** From now on the browser draws pictures as `change` makes them. */
function paints(change: (context: CanvasRenderingContext2D, draw: () => void) => void): void {
  CanvasRenderingContext2D.prototype.drawImage = function (
    this: CanvasRenderingContext2D,
    ...args: unknown[]
  ): void {
    change(this, () => Reflect.apply(drawImage, this, args) as void);
  } as typeof drawImage;
}

it('reports no transparency where a WebM plays on black', async () => {
  const playsAlphaWebm = await onNewPage();
  paints((context, draw) => {
    context.fillStyle = '#000';
    context.fillRect(0, 0, 300, 150);
    draw();
  });
  expect(await playsAlphaWebm()).to.equal(false);
});

it('reports no transparency where the alpha belongs to another frame', async () => {
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

it('reports no transparency where the video does not move, and checks again the next time', async () => {
  const playsAlphaWebm = await onNewPage();
  let starts = 0;
  HTMLMediaElement.prototype.play = () => {
    starts += 1;
    return Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  };
  expect([await playsAlphaWebm(), await playsAlphaWebm()]).to.deep.equal([false, false]);
  expect(starts).to.equal(2);
});

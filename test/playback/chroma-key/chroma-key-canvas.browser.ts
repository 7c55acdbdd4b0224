// The signer without the backplate, drawn by a software renderer: which pixels are removed, which stay, what is behind, and
// when the plain video is shown instead.
import { expect } from '@open-wc/testing';
import { until } from '../../until.ts';
import { clipUrl, closeServices } from '../clips/clip-urls.ts';
import { loseContext, openContexts } from './page-contexts.ts';
import { Box, CORNERS, EDGE, DrawnVideo, SIGNER } from './harness.ts';
import { frames } from '../../elements/on-page.ts';

const GREEN = '#00b140';
const GREY_BLUE = '#d5dee7';
const SKIN = '#e8b998';

let source: DrawnVideo;
let box: Box;
const { getContext } = HTMLCanvasElement.prototype;
const { texImage2D } = WebGL2RenderingContext.prototype;

afterEach(() => {
  HTMLCanvasElement.prototype.getContext = getContext;
  WebGL2RenderingContext.prototype.texImage2D = texImage2D;
  box.end();
  source.end();
});
after(closeServices);

/** A keyed source on the page, when its first frame is drawn or shown plain. */
async function key(colours: DrawnVideo['colours'] = { backplate: GREY_BLUE, signer: SKIN }): Promise<void> {
  source = new DrawnVideo(colours);
  await source.frame();
  box = new Box(source.video);
  await source.until(() => box.changes > 0);
}

/** Resolves when the browser reports that the element is out of sight. Older observers get the report first. */
const outOfSight = (element: Element): Promise<void> =>
  new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(element);
  });

const channels = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** The difference of the channel that differs most. */
const away = (seen: readonly number[], hex: string): number =>
  Math.max(...channels(hex).map((channel, at) => Math.abs(seen[at]! - channel)));

const NEAR = 14;

function expectNear(seen: readonly number[], hex: string, near = NEAR): void {
  expect(away(seen, hex), `${seen.join(' ')} beside ${hex}`).to.be.below(near);
}

for (const backplate of [GREY_BLUE, GREEN, '#ffffff', '#1c3f94']) {
  it(`removes a backplate of ${backplate}, keeps the signer and leaves the edge soft`, async () => {
    await key({ backplate, signer: SKIN });
    expect(box.keyed.showsVideo).to.equal(false);
    const at = box.pixels(source.video);
    for (const [x, y] of CORNERS) expect(at(x, y)[3], `corner ${x} ${y}`).to.equal(0);
    const signer = at(SIGNER.x, SIGNER.y);
    expect(signer[3]).to.equal(255);
    expectNear(signer, SKIN);
    const edge = Array.from({ length: EDGE.to - EDGE.from }, (_, n) => at(EDGE.from + n, EDGE.y)[3]!);
    expect(edge.filter((alpha) => alpha > 10 && alpha < 245)).to.have.length.above(1);
    edge.forEach((alpha, n) => n > 0 && expect(alpha, `${edge}`).to.be.at.least(edge[n - 1]! - 4));
  });
}

it('the spill of a green backplate is removed from the soft edge, and a colour behind is visible', async () => {
  await key({ backplate: GREEN, signer: SKIN });
  const at = box.pixels(source.video, '#808080');
  for (const [x, y] of CORNERS) expectNear(at(x, y), '#808080', 2);
  for (let x = EDGE.from; x < EDGE.to; x++) {
    const [red, green, blue] = at(x, EDGE.y);
    expect(green, `${red} ${green} ${blue} at ${x}`).to.be.below(Math.max(red!, blue!) + 8);
  }
});

it('follows another backplate in the same video, and another video in front of it', async () => {
  await key();
  source.colours = { backplate: GREEN, signer: '#33456b' };
  // The next frame may still have the colours before the change.
  await source.until(() => {
    const at = box.pixels(source.video);
    return at(...CORNERS[0])[3] === 0 && away(at(SIGNER.x, SIGNER.y), '#33456b') < NEAR;
  });

  const other = new DrawnVideo({ backplate: '#ffffff', signer: '#1f6f78' });
  await other.frame();
  other.video.classList.add('shown');
  box.element.prepend(box.laid(other.video));
  await frames(1);
  const at = box.pixels(other.video);
  expect(at(...CORNERS[0])[3]).to.equal(0);
  expectNear(at(SIGNER.x, SIGNER.y), '#1f6f78');
  other.end();
});

it('a video that fades in is drawn mixed with the video behind it', async () => {
  await key();
  const other = new DrawnVideo({ backplate: GREY_BLUE, signer: '#1f6f78' });
  await other.frame();
  const fade = box.laid(other.video).animate({ opacity: [0.25, 0.25] }, 1e6);
  box.element.append(other.video);
  await fade.ready;
  const at = box.pixels(other.video);
  expect([at(...CORNERS[0])[3], at(SIGNER.x, SIGNER.y)[3]]).to.deep.equal([0, 255]);
  // A quarter of the video in front, three quarters of the one behind it.
  expectNear(at(SIGNER.x, SIGNER.y), '#b6a790');
  other.end();
});

it('the canvas is drawn in its visible size, once a frame, and not at all off screen', async () => {
  await key();
  const half = Math.ceil(160 * Math.min(devicePixelRatio, 2));
  box.element.style.width = '160px';
  await source.until(() => box.keyed.canvas.width === half);
  let uploads = 0;
  WebGL2RenderingContext.prototype.texImage2D = function (this: WebGL2RenderingContext, ...args: unknown[]) {
    uploads += 1;
    return Reflect.apply(texImage2D, this, args) as void;
  } as typeof texImage2D;
  let shown = 0;
  const count = (): void => {
    shown += 1;
    source.video.requestVideoFrameCallback(count);
  };
  source.video.requestVideoFrameCallback(count);
  for (let frame = 0; frame < 5; frame++) await source.frame();
  expect(uploads).to.be.within(1, shown);
  // Without a new frame there is nothing to draw, but a frame that was painted before may still be reported.
  await frames(5);
  expect(uploads).to.be.at.most(shown);
  box.element.style.marginTop = '9000px';
  await outOfSight(box.keyed.canvas);
  uploads = 0;
  for (let frame = 0; frame < 5; frame++) await source.frame();
  expect(uploads).to.equal(0);
  box.element.style.marginTop = '';
  await source.until(() => uploads > 0);
  box.keyed.background = null;
  uploads = 0;
  for (let frame = 0; frame < 5; frame++) await source.frame();
  expect(uploads).to.equal(0);
});

it('a video whose backplate has the wanted colour is shown as it is, and another colour counts at once', async () => {
  await key();
  box.keyed.background = GREY_BLUE;
  expect([box.keyed.showsVideo, box.keyed.failed]).to.deep.equal([true, false]);
  box.keyed.background = '#112233';
  expect(box.keyed.showsVideo).to.equal(false);
  expect(box.pixels(source.video)(...CORNERS[0])[3]).to.equal(0);
});

it('a lost context leaves the plain video, and the keyed one is shown again when the context is restored', async () => {
  await key();
  const restore = await loseContext();
  await source.until(() => box.keyed.failed);
  await source.frame();
  restore();
  await source.until(() => !box.keyed.showsVideo);
  const at = box.pixels(source.video);
  expect(at(...CORNERS[0])[3]).to.equal(0);
  expectNear(at(SIGNER.x, SIGNER.y), SKIN);
});

it('a video that scripts may not read is shown plain and plays; the next one is keyed', async () => {
  await key();
  const tainted = document.createElement('video');
  tainted.muted = tainted.loop = true;
  tainted.src = await clipUrl('Tainted');
  box.element.append(box.laid(tainted));
  await tainted.play();
  await until(() => box.keyed.failed);
  const { currentTime } = tainted;
  await until(() => tainted.currentTime !== currentTime);
  tainted.remove();
  await source.until(() => !box.keyed.showsVideo);
});

it('a scene has no backplate and is shown plain, until there is one', async () => {
  await key({ backplate: '#000000', signer: SKIN });
  expect(box.keyed.failed).to.equal(true);
  source.colours = { backplate: GREEN, signer: SKIN };
  await source.until(() => !box.keyed.showsVideo);
});

it('a machine that draws 10 of 25 frames a second shows the plain video from then on', async () => {
  await key();
  const { video } = source;
  const request = video.requestVideoFrameCallback.bind(video);
  let seconds = 100;
  video.requestVideoFrameCallback = (callback) =>
    request((_, metadata) => callback((seconds += 0.1) * 1000, metadata));
  video.getVideoPlaybackQuality = () => ({ totalVideoFrames: seconds * 25 }) as VideoPlaybackQuality;
  await source.until(() => box.keyed.failed);
  expect(seconds).to.be.within(102, 106);
  const { changes } = box;
  expect(openContexts()).to.deep.equal([]);
  for (let frame = 0; frame < 5; frame++) await source.frame();
  expect([box.keyed.failed, box.changes]).to.deep.equal([true, changes]);
});

it('without WebGL2 the plain video is shown', async () => {
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
    return args[0] === 'webgl2' ? null : Reflect.apply(getContext, this, args);
  } as typeof getContext;
  await key();
  expect(box.keyed.failed).to.equal(true);
});

it('30 videos of three sizes are all keyed with one context, which is released with the last', async () => {
  await key();
  const sizes = [320, 240, 160];
  const all = Array.from({ length: 30 }, (_, n) => {
    const one = new Box(source.video.cloneNode() as HTMLVideoElement);
    one.element.style.cssText += `; position: fixed; inset: 0 auto auto 0; width: ${sizes[n % 3]}px`;
    const video = one.element.querySelector('video')!;
    video.muted = true;
    video.srcObject = source.video.srcObject;
    void video.play();
    return { one, video };
  });
  await source.until(() => all.every(({ one }) => one.changes > 0 && !one.keyed.showsVideo));
  expect(openContexts()).to.have.length(1);
  for (const { one, video } of all) {
    const at = one.pixels(video);
    expect([at(...CORNERS[0])[3], at(...CORNERS[3])[3], at(SIGNER.x, SIGNER.y)[3]]).to.deep.equal([
      0, 0, 255,
    ]);
    expectNear(at(SIGNER.x, SIGNER.y), SKIN);
  }
  const restore = await loseContext();
  await source.until(() => all.every(({ one }) => one.keyed.failed));
  // A video that is added meanwhile is first shown plain, and then keyed with the others.
  const late = new Box(source.video);
  expect(late.keyed.failed).to.equal(true);
  restore();
  await source.until(() => [late, ...all.map(({ one }) => one)].every(({ keyed }) => !keyed.showsVideo));
  for (const { one } of all) one.end();
  late.end();
  expect(openContexts()).to.have.length(1);
  box.end();
  expect(openContexts()).to.deep.equal([]);
});

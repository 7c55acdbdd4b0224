// From the frame that carries a result to the first painted picture of its clip: the element beside a bare page that
// sets `video.src` to the same kind of URL, turn about in one page. Policy: 20 texts each that nobody has asked for
// before; both sides take their time in the message event and in requestVideoFrameCallback; the ratio decides.
import { openDemo } from '../page/demo-page.ts';
import { median } from './median.ts';

const ROUNDS = 20;

interface Signer extends HTMLElement {
  sign(text: string): Promise<unknown>;
}

export async function benchFirstFrame(): Promise<void> {
  const demo = await openDemo();
  try {
    const page = await demo.newPage();
    await page.goto(demo.address);
    const { element, bare } = await page.evaluate(measureInPage, ROUNDS);
    const [ours, theirs] = [median(element), median(bare)];
    console.table({
      'bare page, video.src = url': { 'median ms': theirs.toFixed(0), ratio: '1.00' },
      '<sign-translate>': { 'median ms': ours.toFixed(0), ratio: (ours / theirs).toFixed(2) },
    });
  } finally {
    await demo.close();
  }
}

/** Runs in the page. */
async function measureInPage(rounds: number): Promise<{ element: number[]; bare: number[] }> {
  const element = document.querySelector('sign-translate') as Signer;
  const url = new URL('/sign/ws/', location.href);
  url.protocol = 'ws:';
  const socket = new WebSocket(url);
  const next = (type: string): Promise<{ at: number; url: string }> =>
    new Promise((resolve) => {
      const listen = ({ data }: MessageEvent<string>): void => {
        const frame = JSON.parse(data) as { type: string; url: string };
        if (frame.type !== type) return;
        socket.removeEventListener('message', listen);
        resolve({ at: performance.now(), url: frame.url });
      };
      socket.addEventListener('message', listen);
    });
  const once = (type: string): Promise<number> =>
    new Promise((resolve) =>
      element.addEventListener(type, () => resolve(performance.now()), { once: true }),
    );

  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const config = { digital_signer: 'RAE', resolution: '720p' };
  socket.send(JSON.stringify({ type: 'session.start', version: '3.0', mode: 'translate', config }));
  await next('session.ready');

  const bareRound = async (text: string): Promise<number> => {
    const video = document.createElement('video');
    video.muted = true;
    document.body.prepend(video);
    socket.send(JSON.stringify({ type: 'text', id: text, data: text }));
    const { at, url: clip } = await next('result');
    video.src = clip;
    void video.play();
    const painted = await new Promise<number>((resolve) =>
      video.requestVideoFrameCallback(() => resolve(performance.now())),
    );
    await new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }));
    video.remove();
    return painted - at;
  };
  const elementRound = async (text: string): Promise<number> => {
    const [result, start] = [once('sign-result'), once('sign-start')];
    await element.sign(text);
    return (await start) - (await result);
  };

  const times = { element: [] as number[], bare: [] as number[] };
  // The first of each pays for what a page does once.
  await bareRound('warm');
  await elementRound('up');
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await bareRound(`bare ${round} here`));
    times.element.push(await elementRound(`ours ${round} here`));
  }
  socket.close();
  return times;
}

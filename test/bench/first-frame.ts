// From the frame that carries a result to the first painted picture of its clip: the element beside a bare page that
// sets `video.src` to the same kind of URL, turn about in one page.
// - 50 texts each that nobody has asked for before, because a picture is painted at one of 60 moments a second and
//   chance has to even out.
// - Both sides take their time when the socket hands over the frame, before anybody reads it, and in
//   requestVideoFrameCallback.
// - The ratio decides.
import { openDemo } from '../page/demo-page.ts';
import { median } from './median.ts';

const ROUNDS = 50;

interface Signer extends HTMLElement {
  sign(text: string): Promise<unknown>;
}

export async function benchFirstFrame(): Promise<void> {
  const demo = await openDemo();
  try {
    const page = await demo.newPage();
    await page.evaluateOnNewDocument(timeFrames);
    await page.goto(demo.address);
    await page.evaluate(preparePage);
    const times: Record<Side, number[]> = { bare: [], element: [] };
    // The first round pays for what a page does once.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of ['bare', 'element'] as const) {
        // Words that the sandbox does not know are spelled, so a short one.
        const text = `${side[0]}${round}`;
        const time = await page.evaluate((name, words) => (window as Sides)[name]!(words), side, text);
        if (round > 0) times[side].push(time);
      }
    }
    const [ours, theirs] = [median(times.element), median(times.bare)];
    console.table({
      'bare page, video.src = url': { 'median ms': theirs.toFixed(0), ratio: '1.00' },
      '<sign-translate>': { 'median ms': ours.toFixed(0), ratio: (ours / theirs).toFixed(2) },
    });
  } finally {
    await demo.close();
  }
}

type Side = 'bare' | 'element';

/** Of the page: signs a text, and tells the milliseconds from its result to its first picture. */
type Sides = Window & Partial<Record<Side, (text: string) => Promise<number>>>;

interface Timed {
  /** When a socket of the page handed over its last result. */
  resultAt?: number;
}

/** Runs in the page before its scripts: a listener of our own comes before theirs on every socket. */
function timeFrames(): void {
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const at = performance.now();
        if (data.includes('"type":"result"')) (window as Timed).resultAt = at;
      });
    }
  };
}

/** Runs in the page. */
async function preparePage(): Promise<void> {
  const element = document.querySelector('sign-translate') as Signer;
  const url = new URL('/sign/ws/', location.href);
  url.protocol = 'ws:';
  const socket = new WebSocket(url);
  const next = (type: string, heard: (url: string) => void = () => {}): Promise<void> =>
    new Promise((resolve, reject) => {
      const listen = ({ data }: MessageEvent<string>): void => {
        const frame = JSON.parse(data) as { type: string; url: string };
        if (frame.type === 'error') reject(new Error(data));
        if (frame.type !== type) return;
        socket.removeEventListener('message', listen);
        heard(frame.url);
        resolve();
      };
      socket.addEventListener('message', listen);
      socket.addEventListener('close', () => reject(new Error('the socket was closed')));
    });
  const sinceResult = (): number => performance.now() - (window as Timed).resultAt!;

  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const config = { digital_signer: 'RAE', resolution: '720p' };
  socket.send(JSON.stringify({ type: 'session.start', version: '3.0', mode: 'translate', config }));
  await next('session.ready');

  const bare = async (text: string): Promise<number> => {
    const video = document.createElement('video');
    video.muted = true;
    document.body.prepend(video);
    const painted = new Promise<number>((resolve) =>
      video.requestVideoFrameCallback(() => resolve(sinceResult())),
    );
    const ended = new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }));
    socket.send(JSON.stringify({ type: 'text', id: text, data: text }));
    await next('result', (clip) => {
      video.src = clip;
      void video.play();
    });
    await ended;
    video.remove();
    return painted;
  };
  const signed = async (text: string): Promise<number> => {
    const painted = new Promise<number>((resolve) =>
      element.addEventListener('sign-start', () => resolve(sinceResult()), { once: true }),
    );
    await element.sign(text);
    return painted;
  };

  Object.assign(window, { bare, element: signed });
}

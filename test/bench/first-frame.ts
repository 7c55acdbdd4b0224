// Measures the time from the frame of a result to the first painted frame of its clip. The element and a page that only sets
// `video.src` take turns in one page.
// - 50 new texts each, because frames are painted at 60 Hz and single times depend on chance.
// - Both are timed from the message event of the socket, before any other listener, to requestVideoFrameCallback.
// - The goal is for the ratio of the two.
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
    // The first round includes the start-up of the page.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const side of ['bare', 'element'] as const) {
        // The sandbox spells unknown words, so this one is short.
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

/** A function of the page: signs a text and returns the milliseconds from its result to its first frame. */
type Sides = Window & Partial<Record<Side, (text: string) => Promise<number>>>;

interface Timed {
  /** The time at which a socket of the page received its last result. */
  resultAt?: number;
}

/** Runs in the page before its scripts, so that our listener is the first on every socket. */
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

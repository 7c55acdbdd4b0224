// The page of the scan bench: a long page is read while a ticker notes how long it could not run.
import { PageReader } from '../../src/page/page-reader.ts';

export interface Scan {
  readonly sentences: number;
  /** Until the first sentence could be sent. */
  readonly firstMs: number;
  /** Total time in which nothing else could run. */
  readonly busyMs: number;
  readonly longestMs: number;
  readonly wallMs: number;
}

/** Ticks of an idle page are less than this apart. */
const IDLE_MS = 0.5;

export async function scan(paragraphs: number, sentencesEach: number): Promise<Scan> {
  const article = document.createElement('article');
  // Parsed like a page from a server: its nodes have no JavaScript objects yet.
  const words = (at: number, n: number): string =>
    `Paragraph ${at} says in sentence ${n} what to do <b>before</b> you come. `;
  const numbers = (length: number): number[] => Array.from({ length }, (_, n) => n);
  article.innerHTML = numbers(paragraphs)
    .map(
      (at) =>
        `<p>${numbers(sentencesEach)
          .map((n) => words(at, n))
          .join('')}</p>`,
    )
    .join('');
  document.body.replaceChildren(article);
  // Layout and paint are the page's own cost. Both are over before a task that follows the second frame.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  const reader = new PageReader({ host: document.body, target: article, glossary: null, changed: () => {} });
  const { port1, port2 } = new MessageChannel();
  let [busyMs, longestMs, last, isOver] = [0, 0, performance.now(), false];
  port1.onmessage = () => {
    const now = performance.now();
    const gap = now - last;
    if (gap > IDLE_MS) busyMs += gap;
    longestMs = Math.max(longestMs, gap);
    last = now;
    if (!isOver) port2.postMessage(null);
  };
  const begun = performance.now();
  let firstMs = 0;
  void reader.begun.then(() => (firstMs = performance.now() - begun));
  last = begun;
  port2.postMessage(null);
  await reader.read();
  const wallMs = performance.now() - begun;
  isOver = true;
  port1.close();
  reader.close();
  return { sentences: reader.sentences.length, firstMs, busyMs, longestMs, wallMs };
}

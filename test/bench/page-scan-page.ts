// The page of the scan bench: it reads a long page, and marks when that begins and ends.
import { PageReader } from '../../src/page/page-reader.ts';

export interface Scan {
  readonly sentences: number;
  /** The time until the first sentence could be sent. */
  readonly firstMs: number;
  readonly wallMs: number;
}

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
  performance.mark('scan-begins');
  const begun = performance.now();
  let firstMs = 0;
  void reader.begun.then(() => (firstMs = performance.now() - begun));
  await reader.read();
  const wallMs = performance.now() - begun;
  performance.mark('scan-ends');
  reader.close();
  return { sentences: reader.sentences.length, firstMs, wallMs };
}

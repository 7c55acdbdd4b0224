// Prepares what is not prepared yet: one request for each new text, and one clip for each.
// - A clip that is in the folder is entered without a request, so that a run that was killed goes on where it was.
// - At most `concurrency` requests at a time. Clips are entered together, every second and at the end.
// - A text that fails does not stop the rest; a folder that cannot be written does.
// - A text that its pages have no more is marked stale; one that they have again is not.
import type { PreparedText } from '../../src/prepared/manifest.ts';
import { type CheckedClip, type Edition, EditionError } from './edition.ts';
import type { SignText } from './sign-text.ts';
import type { FoundTexts } from './sources.ts';

const ENTER_MS = 1_000;

export interface PrepareOptions {
  readonly edition: Edition;
  readonly found: FoundTexts;
  readonly sign: SignText;
  readonly concurrency: number;
  /** Requests of this run, at most. */
  readonly maxTexts: number;
  /** No text is begun any more; those under way are finished. */
  readonly stop: AbortSignal;
  /** What is under way is ended too. */
  readonly abort: AbortSignal;
  readonly progress: (done: number, all: number, failed: number) => void;
}

export interface Prepared {
  /** Texts signed in this run, entered from the folder, and left for another run. */
  readonly signed: number;
  readonly entered: number;
  readonly left: number;
  readonly failed: readonly { readonly text: string; readonly reason: string }[];
}

export interface MissingText {
  readonly hash: string;
  readonly text: string;
  readonly pages: readonly string[];
}

/** The texts that the edition has no clip of, in the order of the pages. */
export function missingIn(edition: Edition, { texts }: FoundTexts): readonly MissingText[] {
  const known = edition.texts;
  const all = [...texts.values()].map(({ text, pages }) => ({ hash: edition.hashOf(text), text, pages }));
  return all.filter(({ hash }) => !known.has(hash));
}

/** Brings pages and `stale` of the texts in line with the pages that were read. */
function followPages(edition: Edition, found: FoundTexts, texts: Map<string, PreparedText>): void {
  const pagesOf = new Map([...found.texts.values()].map(({ text, pages }) => [edition.hashOf(text), pages]));
  for (const [hash, known] of texts) {
    const now = pagesOf.get(hash) ?? [];
    const others = known.pages.filter((page) => !found.pages.has(page));
    const pages = [...new Set([...others, ...now])].sort();
    const { stale: wasStale, ...text } = known;
    // A stale text keeps the pages that it was on, so that a reviewer sees what it was.
    if (pages.length === 0) texts.set(hash, { ...text, stale: true });
    else if (wasStale || pages.join('\n') !== known.pages.join('\n')) texts.set(hash, { ...text, pages });
  }
}

export async function prepare(options: PrepareOptions): Promise<Prepared> {
  const { edition, found, sign, stop, abort } = options;
  await edition.update((texts) => followPages(edition, found, texts));
  const missing = missingIn(edition, found);
  const waiting = missing[Symbol.iterator]();
  const failed: { text: string; reason: string }[] = [];
  let [done, signed, entered, asked] = [0, 0, 0, 0];
  let ready: PreparedText[] = [];
  let broken: EditionError | null = null;

  const enter = async (): Promise<void> => {
    const some = ready;
    if (some.length === 0) return;
    ready = [];
    await edition.update((texts) => {
      // Another program may have entered and judged it meanwhile.
      for (const text of some) if (!texts.has(text.hash)) texts.set(text.hash, text);
    });
  };
  let entering = Promise.resolve();
  let isDue = false;
  const enterSoon = (): void => {
    if (isDue) return;
    isDue = true;
    const timer = setTimeout(() => {
      isDue = false;
      entering = entering.then(enter).catch((error: EditionError) => void (broken ??= error));
    }, ENTER_MS);
    timer.unref();
  };

  const clipOf = async ({ hash, text }: MissingText): Promise<CheckedClip | null> => {
    const kept = await edition.findClip(hash);
    if (kept) {
      entered += 1;
      return kept;
    }
    if (asked >= options.maxTexts) return null;
    asked += 1;
    const clip = await edition.keepClip(hash, await sign(text, abort));
    signed += 1;
    return clip;
  };

  const work = async (): Promise<void> => {
    for (const one of waiting) {
      if (stop.aborted || broken) return;
      try {
        const clip = await clipOf(one);
        if (clip) {
          const { hash, text, pages } = one;
          ready.push({
            hash,
            text,
            ...clip,
            state: 'draft',
            note: '',
            date: new Date().toISOString(),
            pages: [...pages].sort(),
          });
          done += 1;
          enterSoon();
        }
      } catch (error) {
        if (abort.aborted) return;
        if (error instanceof EditionError) {
          broken = error;
          return;
        }
        failed.push({ text: one.text, reason: (error as Error).message });
      }
      options.progress(done, missing.length, failed.length);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  await entering;
  if (!broken) await enter();
  if (broken) throw broken as EditionError;
  return { signed, entered, left: missing.length - done - failed.length, failed };
}

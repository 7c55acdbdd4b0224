// Prepares the texts that are not prepared yet, with one request and one clip for each.
// - A clip that is lost or cut off is made again and is a draft; a lost video by a person is reported, and a person replaces it.
// - A clip that is in the folder is listed without a request, so that the next run continues one that was killed.
// - At most `concurrency` requests at a time. Clips are entered together, every second and at the end.
// - A text that fails does not stop the rest; a folder that cannot be written does.
// - A text that is on none of its pages any more is marked stale; the mark is removed when the text is on one again.
import { join } from 'node:path';
import type { PreparedText } from '../../src/protocol/prepared-manifest.ts';
import type { CheckedClip, Edition } from './edition.ts';
import { EditionError, removeParts } from './files.ts';
import type { SignText } from './sign-text.ts';
import type { FoundTexts } from './sources.ts';

const ENTER_MS = 1_000;

interface PrepareOptions {
  readonly edition: Edition;
  readonly found: FoundTexts;
  readonly sign: SignText;
  readonly concurrency: number;
  /** Requests of this run, at most. */
  readonly maxTexts: number;
  /** No text is begun any more; those under way are finished. */
  readonly stop: AbortSignal;
  /** Ends what is under way too. */
  readonly abort: AbortSignal;
  readonly progress: (done: number, all: number, failed: number) => void;
  /** Called when another program is at work in the folder: this one waits for its end, and then finds its clips there. */
  readonly waiting: () => void;
}

interface Prepared {
  /** Texts signed in this run, entered from the folder, and left for another run. */
  readonly signed: number;
  readonly entered: number;
  readonly left: number;
  readonly failed: readonly { readonly text: string; readonly reason: string }[];
}

interface MissingText {
  readonly hash: string;
  readonly text: string;
  /** What is signed: the text, or the words that a reviewer has put in its place. */
  readonly words: string;
  readonly pages: readonly string[];
  /** The clip that was lost. */
  readonly lost?: string;
}

interface Missing {
  /** The texts that are to be signed, in the order of the pages. */
  readonly texts: readonly MissingText[];
  /** Texts whose video by a person is lost. */
  readonly videos: readonly string[];
}

/** The texts that the edition has no clip of, without those that were rejected. */
export async function missingIn(edition: Edition, found: FoundTexts): Promise<Missing> {
  const known = edition.texts;
  const [texts, videos]: [MissingText[], string[]] = [[], []];
  for (const { text, pages } of found.texts.values()) {
    const hash = edition.hashOf(text);
    const prepared = known.get(hash);
    if (!prepared) texts.push({ hash, text, words: text, pages });
    else if (prepared.state === 'rejected' || (await edition.isThere(prepared))) continue;
    else if (prepared.state === 'replaced') videos.push(text);
    else texts.push({ hash, text, words: prepared.wording ?? text, pages, lost: prepared.file });
  }
  return { texts, videos };
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
  const { edition, found, waiting, stop } = options;
  const run = await edition.beginRun(waiting, stop);
  if (!run)
    return { signed: 0, entered: 0, left: (await missingIn(edition, found)).texts.length, failed: [] };
  try {
    return await signMissing(options);
  } finally {
    await run.release();
  }
}

/** Enters clips into the edition together, each second and at the end. */
class EntryQueue {
  readonly #edition: Edition;
  #ready: (MissingText & { readonly clip: CheckedClip })[] = [];
  #entering = Promise.resolve();
  #isDue = false;
  /** Why nothing more can be entered. */
  error: EditionError | null = null;

  constructor(edition: Edition) {
    this.#edition = edition;
  }

  add(text: MissingText, clip: CheckedClip): void {
    this.#ready.push({ ...text, clip });
    if (this.#isDue) return;
    this.#isDue = true;
    const timer = setTimeout(() => {
      this.#isDue = false;
      this.#entering = this.#entering
        .then(() => this.#enter())
        .catch((error: EditionError) => void (this.error ??= error));
    }, ENTER_MS);
    timer.unref();
  }

  /** @throws EditionError */
  async finish(): Promise<void> {
    await this.#entering;
    if (!this.error) await this.#enter();
    if (this.error) throw this.error;
  }

  async #enter(): Promise<void> {
    const some = this.#ready;
    if (some.length === 0) return;
    this.#ready = [];
    await this.#edition.update((texts) => {
      for (const { hash, text, pages, lost, clip } of some) {
        const known = texts.get(hash);
        const draft = { ...clip, state: 'draft', date: new Date().toISOString() } as const;
        if (!known) texts.set(hash, { hash, text, ...draft, note: '', pages: [...pages].sort() });
        // Another program may have entered and judged it meanwhile.
        else if (known.file === lost)
          texts.set(hash, { ...known, ...draft, note: 'The previous clip was lost.' });
      }
    });
  }
}

async function signMissing(options: PrepareOptions): Promise<Prepared> {
  const { edition, found, sign, stop, abort } = options;
  for (const folder of [edition.folder, join(edition.folder, 'clips')]) await removeParts(folder);
  await edition.update((texts) => followPages(edition, found, texts));
  const { texts: missing } = await missingIn(edition, found);
  const files = await edition.files();
  const waiting = missing[Symbol.iterator]();
  const entries = new EntryQueue(edition);
  const failed: { text: string; reason: string }[] = [];
  let [done, signed, entered, asked] = [0, 0, 0, 0];

  const clipOf = async ({ words }: MissingText): Promise<CheckedClip | null> => {
    const hash = edition.hashOf(words);
    const kept = await edition.findClip(hash, files);
    if (kept) {
      entered += 1;
      return kept;
    }
    if (asked >= options.maxTexts) return null;
    asked += 1;
    const clip = await edition.keepClip(hash, await sign(words, abort));
    signed += 1;
    return clip;
  };

  const work = async (): Promise<void> => {
    for (const one of waiting) {
      if (stop.aborted || entries.error) return;
      try {
        const clip = await clipOf(one);
        if (clip) {
          entries.add(one, clip);
          done += 1;
        }
      } catch (error) {
        if (abort.aborted) return;
        if (error instanceof EditionError) {
          entries.error = error;
          return;
        }
        failed.push({ text: one.text, reason: (error as Error).message });
      }
      options.progress(done, missing.length, failed.length);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  await entries.finish();
  return { signed, entered, left: missing.length - done - failed.length, failed };
}

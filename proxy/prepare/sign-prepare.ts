// The commands of `sign-prepare`, without the process around them (docs/prepared.md).
// - The service is named by the variables of the proxy (docs/proxy.md).
// - 0: all is well. 1: a text or a source failed, or `check` found one. 2: a bad command line or environment.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { glossaryOf } from '../../src/page/glossary.ts';
import type { Glossary } from '../../src/page/sentences.ts';
import { ConfigError, readConfig } from '../config.ts';
import {
  asksForHelp,
  type Command,
  DEFAULT_SIGNER,
  type Options,
  readCommandLine,
  USAGE,
  UsageError,
} from './command-line.ts';
import { Edition } from './edition.ts';
import { decodeText } from './encoding.ts';
import { EditionError } from './files.ts';
import { missingIn, prepare } from './prepare.ts';
import type { Progress } from './progress.ts';
import { serveReview } from './review-server.ts';
import { type Service, signTextWith } from './sign-text.ts';
import { findTexts, type FoundTexts } from './sources.ts';
import { removeUnused, unreadyTexts, unusedIn } from './upkeep.ts';

/** What a command reads and writes. */
interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
  readonly progress: Progress;
  /** Nothing new is begun. */
  readonly stop: AbortSignal;
  /** What is under way is ended too. */
  readonly abort: AbortSignal;
}

const AT_WORK = 'another sign-prepare is at work in this folder: this one waits';

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** @throws UsageError */
async function loadGlossary(file: string | null): Promise<Glossary | null> {
  if (file === null) return null;
  try {
    return glossaryOf(JSON.parse(decodeText(await readFile(file))));
  } catch (error) {
    throw new UsageError(`--glossary ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** @throws ConfigError */
function serviceFrom(env: NodeJS.ProcessEnv): Service {
  const { apiUrl, apiKey } = readConfig(env);
  if (apiUrl !== null) return { apiUrl, apiKey };
  throw new ConfigError([{ variable: 'SIGN_API_URL', message: 'is not set: texts are signed by REST' }]);
}

async function find(options: Options, { warn, stop, progress }: Io): Promise<FoundTexts> {
  const glossary = await loadGlossary(options.glossary);
  const found = await findTexts(options.sources, {
    ...{ target: options.target, glossary, stop },
    reading: progress.reading,
  });
  progress.end();
  for (const problem of found.problems) warn(problem);
  return found;
}

async function runPrepare(options: Options, io: Io): Promise<boolean> {
  const service = options.dryRun ? null : serviceFrom(io.env);
  const edition = await Edition.open(options.out, options.signer, options.signer ?? DEFAULT_SIGNER);
  const found = await find(options, io);
  const { texts: missing, videos } = await missingIn(edition, found);
  for (const text of videos) io.warn(`its video by a person is lost: ${JSON.stringify(text)}`);
  const characters = missing.reduce((sum, { words }) => sum + words.length, 0);
  const requests = Math.min(missing.length, options.maxTexts);
  io.print(
    `${plural(found.pages.size, 'source')}, ${plural(found.texts.size, 'text')}: ${missing.length} not prepared, ${plural(characters, 'character')}, at most ${plural(requests, 'request')}`,
  );
  const isWhole = found.problems.length === 0 && videos.length === 0;
  if (!service) return isWhole;
  const { signed, entered, left, failed } = await prepare({
    ...{ edition, found, progress: io.progress.show, stop: io.stop, abort: io.abort },
    ...{ concurrency: options.concurrency, maxTexts: options.maxTexts },
    waiting: () => io.warn(AT_WORK),
    sign: signTextWith(service, edition.manifest),
  });
  io.progress.end();
  for (const { text, reason } of failed) io.warn(`not signed: ${JSON.stringify(text)}: ${reason}`);
  io.print(`${signed} signed, ${entered} found in ${options.out}, ${failed.length} failed, ${left} left`);
  return isWhole && failed.length === 0 && !io.stop.aborted;
}

async function runCheck(options: Options, io: Io): Promise<boolean> {
  const edition = await Edition.open(options.out, options.signer);
  const found = await find(options, io);
  const unready = await unreadyTexts(edition, found);
  for (const { why, text, pages } of unready)
    io.print(`${why}: ${JSON.stringify(text)} (${pages.join(', ')})`);
  io.print(`${plural(found.texts.size, 'text')}, ${unready.length} not ready`);
  return unready.length === 0 && found.problems.length === 0;
}

async function runPrune(options: Options, io: Io): Promise<boolean> {
  const edition = await Edition.open(options.out, options.signer);
  const found = await find(options, io);
  // A page that cannot be reached for a minute must not lose its clips.
  if (found.problems.length > 0) throw new EditionError('nothing is removed, because a source was not read');
  const unused = await unusedIn(edition, found);
  const texts = edition.manifest.texts.filter(({ hash }) => unused.hashes.has(hash));
  for (const { text } of texts) io.print(JSON.stringify(text));
  for (const file of unused.files) io.print(file);
  if (options.yes) {
    // A run writes clips before it enters them into the edition.
    const run = await edition.beginRun(() => io.warn(AT_WORK), io.stop);
    if (!run) return false;
    try {
      await removeUnused(edition, unused);
    } finally {
      await run.release();
    }
  }
  const what = `${plural(texts.length, 'text')} and ${plural(unused.files.length, 'file')}`;
  io.print(options.yes ? `${what} removed` : `${what} would be removed; --yes removes them`);
  return true;
}

/** Until it is stopped. */
async function runReview(options: Options, io: Io): Promise<boolean> {
  const edition = await Edition.open(options.out, options.signer);
  const sign = io.env.SIGN_API_URL ? signTextWith(serviceFrom(io.env), edition.manifest) : null;
  const { target } = options;
  const glossary = await loadGlossary(options.glossary);
  const { address, close } = await serveReview(edition, sign, options.port, async (page) => {
    const { texts } = await findTexts([page], { target, glossary, stop: io.stop });
    return [...texts.values()].map(({ text }) => edition.hashOf(text));
  });
  io.print(`review: ${address}`);
  if (!io.stop.aborted) await once(io.stop, 'abort');
  await close();
  return true;
}

const commands: Readonly<Record<Command, (options: Options, io: Io) => Promise<boolean>>> = {
  prepare: runPrepare,
  review: runReview,
  check: runCheck,
  prune: runPrune,
};

/** Texts of pages and servers may contain characters that control a terminal. */
const plain = (line: string): string => line.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');

/** The exit status. */
export async function signPrepare(args: readonly string[], { print, warn, ...rest }: Io): Promise<number> {
  const io: Io = { ...rest, print: (line) => print(plain(line)), warn: (line) => warn(plain(line)) };
  if (asksForHelp(args)) {
    io.print(USAGE);
    return 0;
  }
  try {
    const options = readCommandLine(args);
    return (await commands[options.command](options, io)) ? 0 : 1;
  } catch (error) {
    if (error instanceof UsageError) io.warn(`sign-prepare: ${error.message}\n\n${USAGE}`);
    else if (error instanceof ConfigError)
      io.warn(`sign-prepare cannot start:\n${error.message.replace(/^/gm, '  ')}`);
    else if (error instanceof EditionError) io.warn(`sign-prepare: ${error.message}`);
    else throw error;
    return error instanceof EditionError ? 1 : 2;
  }
}

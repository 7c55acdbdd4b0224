// `elements.js`, `elements.classic.js`, the same under their built names, and their chunks (`dist/cdn`).
// - Any site may load them (CORS `*`, Cross-Origin-Resource-Policy).
// - Read once at the start and served from memory: no path of a request reaches the disk, and an entry always fits its
//   chunks. Chunks of other builds come from the folder that replicas share (kept-files.ts).
// - Entries are revalidated by ETag, hashed chunks are immutable for a year. The ETag is of the content: an entry that
//   names its chunks by hash keeps its size from one version to the next.
// - The smallest precompressed variant that the browser accepts is sent. Lists in headers of over 1,000 characters are not read:
//   to split one of 15 kB takes 2 ms, and an address may send 6,000 a minute.
// - An address may ask for ten times as many files as SIGN_REQUESTS_PER_MINUTE, which do not count towards that rate: a page loads
//   up to 40.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClientAddresses } from '../limits/client-address.ts';
import type { ClientRate } from '../limits/client-rate.ts';
import type { Metrics } from '../metrics.ts';
import { allowMethods, ProblemError } from '../problem.ts';
import type { Drain } from '../relay/drain.ts';
import { take } from './guard.ts';

/** The file for each path that a page may use. */
const entries: Readonly<Record<string, string>> = {
  '/elements.js': 'sign-elements.js',
  '/elements.classic.js': 'sign-elements.classic.js',
  '/sign-elements.js': 'sign-elements.js',
  '/sign-elements.classic.js': 'sign-elements.classic.js',
};

/** A hashed file of another build by its path (`chunks/hls-Ab3dE6gH.js`); undefined when there is none. */
export type KeptFiles = (path: string) => Promise<ElementFile | undefined>;

export const FILES_FOR_A_REQUEST = 10;

interface ElementDeps {
  readonly files: ReadonlyMap<string, ElementFile>;
  readonly kept: KeptFiles;
  /** Files a minute of an address. */
  readonly rate: ClientRate;
  readonly clients: ClientAddresses;
  readonly drain: Pick<Drain, 'begun' | 'found'>;
  readonly metrics: Pick<Metrics, 'limitHit'>;
}

export function elementRoutes(scope: FastifyInstance, deps: ElementDeps): void {
  const { files, kept, rate, clients, drain, metrics } = deps;
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
    await take(() => rate(clients.keyOf(request.raw)), 'files_per_minute', metrics);
  });
  for (const [url, name] of Object.entries(entries)) {
    const file = files.get(name);
    scope.get(url, async (request, reply) => {
      // Before each POST a client sends a HEAD of an entry.
      if (request.method === 'HEAD') {
        if (drain.begun) throw new ProblemError('restarting');
        drain.found();
      }
      if (!file) throw new ProblemError('elements_missing');
      return send(file, request, reply);
    });
    allowMethods(scope, url, ['GET', 'HEAD']);
  }
  for (const [url, folder] of [
    ['/chunks/:name', 'chunks/'],
    ['/:name(^elements-[0-9a-f]+.*)', ''],
  ] as const) {
    scope.get<{ Params: { name: string } }>(url, async (request, reply) => {
      const path = folder + request.params.name;
      const file = files.get(path) ?? (await kept(path));
      if (!file) throw new ProblemError('not_found');
      return send(file, request, reply);
    });
    allowMethods(scope, url, ['GET', 'HEAD']);
  }
  const hashes = integrityOf(files);
  scope.get('/integrity.json', async (_request, reply) => {
    if (!files.has('sign-elements.js')) throw new ProblemError('elements_missing');
    return reply.header('cache-control', 'public, no-cache').send(hashes);
  });
  allowMethods(scope, '/integrity.json', ['GET', 'HEAD']);
}

/** What a page writes into `integrity`, by the name of the entry. */
const integrityOf = (files: ReadonlyMap<string, ElementFile>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...files]
      .filter(([path]) => VERSIONED.test(path))
      .map(([path, { body }]) => [path, `sha384-${createHash('sha384').update(body).digest('base64')}`]),
  );

function send(file: ElementFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: file.etag, 'cache-control': file.cacheControl, vary: 'Accept-Encoding' });
  if (isFresh(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type('text/javascript; charset=utf-8');
  for (const [encoding, body] of file.encoded) {
    if (accepts(request.headers['accept-encoding'], encoding)) {
      return reply.header('content-encoding', encoding).send(body);
    }
  }
  return reply.send(file.body);
}

const MAX_LIST = 1_000;

/** The items of a header; none where it is longer than any browser's. */
const itemsOf = (header = ''): readonly string[] => (header.length > MAX_LIST ? [] : header.split(','));

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function isFresh(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return itemsOf(header).some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/** True when the encoding is listed with a weight above 0 (RFC 9110, 12.5.3). */
function accepts(header: string | undefined, encoding: Encoding): boolean {
  return itemsOf(header).some((item) => {
    const [name = '', weight = 'q=1'] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && Number(weight.replace(/^q=/, '')) > 0;
  });
}

export type Encoding = 'br' | 'gzip';

export interface ElementFile {
  readonly body: Buffer;
  /** The precompressed variants in the same folder, smallest first. */
  readonly encoded: ReadonlyMap<Encoding, Buffer>;
  readonly etag: string;
  readonly cacheControl: string;
}

const IMMUTABLE = 'public, max-age=31536000, immutable';

export const EXTENSIONS: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];
/** A chunk whose name ends in a hash: six hexadecimal digits as in our build, or eight characters that are not a word. */
const HASHED = /^chunks\/.*[-.]([\da-f]{6}|(?=[\w-]*[A-Z\d]|[a-f]{8}\.)[\w-]{8})\.m?js$/;
/** An entry under a name that never gets other content. */
const VERSIONED = /^elements-[\da-f]{12}(\.classic)?\.js$/;
export const isHashed = (path: string): boolean => HASHED.test(path) || VERSIONED.test(path);

/**
 * Every script of the directory and of its `chunks/`, by its path in it (`sign-elements.js`,
 * `chunks/hls-Ab3dE6gH.js`). Empty when there is no such directory.
 */
export function readElementFiles(directory: string): ReadonlyMap<string, ElementFile> {
  const files = new Map<string, ElementFile>();
  for (const folder of ['', 'chunks/']) {
    const names = new Set(listNames(join(directory, folder)));
    for (const name of names) {
      if (/^[\w.-]+\.m?js$/.test(name))
        files.set(folder + name, readElementFile(directory, folder + name, names));
    }
  }
  addVersioned(files);
  return files;
}

/**
 * Gives each entry a second name with a hash, `elements-0123456789ab.js`, for pages with the attribute `integrity`: that file
 * never changes, and `integrity.json` has its hash (Subresource Integrity, 3.5). The classic script imports the module of the same
 * name beside it, so one hash of both files is in both names.
 */
function addVersioned(files: Map<string, ElementFile>): void {
  const module = files.get('sign-elements.js');
  const classic = files.get('sign-elements.classic.js');
  if (!module || !classic) return;
  const hash = createHash('sha256').update(module.body).update(classic.body).digest('hex').slice(0, 12);
  const add = (path: string, file: ElementFile): void =>
    void files.set(path, { ...file, cacheControl: IMMUTABLE });
  add(`elements-${hash}.js`, module);
  add(`elements-${hash}.classic.js`, classic);
}

function readElementFile(directory: string, path: string, siblings: ReadonlySet<string>): ElementFile {
  const body = readFileSync(join(directory, path));
  const variants = variantsOf(path, siblings).map(
    ([encoding, variant]) => [encoding, readFileSync(join(directory, variant))] as const,
  );
  return elementFile(path, body, new Map(variants));
}

/** The precompressed variants of the file that are among the names beside it. */
export const variantsOf = (path: string, siblings: ReadonlySet<string>): (readonly [Encoding, string])[] =>
  EXTENSIONS.filter(([, extension]) => siblings.has(basename(path) + extension)).map(
    ([encoding, extension]) => [encoding, path + extension] as const,
  );

export const elementFile = (path: string, body: Buffer, encoded: ElementFile['encoded']): ElementFile => ({
  body,
  encoded,
  // Weak, because the encodings of one file share it.
  etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  cacheControl: isHashed(path) ? IMMUTABLE : 'public, no-cache',
});

function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

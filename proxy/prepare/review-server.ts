// The review page, served on this machine only (`sign-prepare review`).
// - It listens on 127.0.0.1. A request with another `Host`, or a change from another origin, is refused, so that no web page
//   can reach it (DNS rebinding, CSRF).
// - A change to a text that another reviewer has changed meanwhile is answered with 409 and the text as it is now. A page asks for
//   the list again and again, and gets it only when it has changed (ETag).
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PreparedText } from '../../src/protocol/prepared-manifest.ts';
import { UsageError } from './command-line.ts';
import { type Edition, shortHash } from './edition.ts';
import { codeOf, EditionError } from './files.ts';
import { ConflictError, judge, JudgementError, replace, restore, reword, type Seen } from './judgements.ts';
import type { SignText } from './sign-text.ts';

const MOST_BYTES = 256_000_000;
const PAGES = new URL('./review/', import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; media-src 'self'; img-src data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface ReviewServer {
  readonly address: string;
  close(): Promise<void>;
}

/** The headers of every answer. */
const HEADERS = [
  ['content-security-policy', POLICY],
  ['x-content-type-options', 'nosniff'],
  ['cache-control', 'no-store'],
  ['cross-origin-resource-policy', 'same-origin'],
] as const;

/** Hashes of the texts of a page, in the order of the page; none when it cannot be read. */
export type ReadOrder = (page: string) => Promise<readonly string[]>;

/**
 * @param sign null without a service: other words cannot be signed then
 * @throws UsageError when the port is taken
 */
export async function serveReview(
  edition: Edition,
  sign: SignText | null,
  port: number,
  readOrder: ReadOrder = () => Promise.resolve([]),
): Promise<ReviewServer> {
  const review: Review = { edition, sign, readOrder };
  const server: Server = createServer((request, response) => {
    for (const [name, value] of HEADERS) response.setHeader(name, value);
    const refusal = refusalOf(request, hosts());
    if (refusal) return send(response, refusal.status, { error: refusal.error });
    const answered =
      request.method === 'POST' ? change(request, response, review) : show(request, response, review);
    answered.catch((error: unknown) => refuse(response, error));
  });
  const hosts = (): string[] => {
    const { port: open } = server.address() as AddressInfo;
    return [`127.0.0.1:${open}`, `localhost:${open}`];
  };

  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UsageError(`--port ${port} cannot be opened (${codeOf(error)})`);
  }
  return {
    address: `http://${hosts()[0]}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Review {
  readonly edition: Edition;
  readonly sign: SignText | null;
  readonly readOrder: ReadOrder;
}

const addressOf = ({ headers, url }: IncomingMessage): string => `http://${headers.host ?? ''}${url}`;

/** Why a request is not answered; null for one of the review page itself. `hosts` are the names of this server. */
function refusalOf(
  request: IncomingMessage,
  hosts: readonly string[],
): { readonly status: number; readonly error: string } | null {
  const { host = '', origin } = request.headers;
  if (!hosts.includes(host)) return { status: 403, error: 'another host' };
  if (/^(cross|same)-site$/.test(String(request.headers['sec-fetch-site'])))
    return { status: 403, error: 'another site' };
  if (!URL.canParse(addressOf(request))) return { status: 400, error: 'no address' };
  if (request.method === 'GET') return null;
  if (request.method !== 'POST') return { status: 405, error: 'GET or POST' };
  return origin === `http://${host}` ? null : { status: 403, error: 'another origin' };
}

/** Answers a GET. */
async function show(
  request: IncomingMessage,
  response: ServerResponse,
  { edition, sign, readOrder }: Review,
): Promise<void> {
  const { pathname, searchParams } = new URL(addressOf(request));
  if (pathname === '/signs.json') {
    await edition.reload();
    return sendList(request, response, JSON.stringify({ ...edition.manifest, canSign: sign !== null }));
  }
  if (pathname === '/order') {
    const page = searchParams.get('page') ?? '';
    if (!edition.manifest.texts.some(({ pages }) => pages.includes(page)))
      return send(response, 404, { error: 'no page of this edition' });
    return send(response, 200, await readOrder(page));
  }
  if (/^\/clips\/[0-9a-f]{32}\.mp4$/.test(pathname))
    return sendFile(response, join(edition.folder, pathname), 'video/mp4', request.headers.range);
  const page = /^\/(?:(index\.html|review(?:-\w+)?\.js|review\.css))?$/.exec(pathname);
  if (!page) return send(response, 404, { error: 'not found' });
  const name = page[1] ?? 'index.html';
  return sendFile(response, new URL(name, PAGES), TYPES[name.split('.')[1]!]!);
}

/** Answers a POST with the changed text. */
async function change(request: IncomingMessage, response: ServerResponse, review: Review): Promise<void> {
  const { pathname, searchParams } = new URL(addressOf(request));
  const seen = { hash: searchParams.get('hash') ?? '', date: searchParams.get('date') ?? '' };
  send(response, 200, await changed(pathname, seen, await bodyOf(request), review));
}

async function changed(
  path: string,
  seen: Seen,
  body: Buffer,
  { edition, sign }: Review,
): Promise<PreparedText> {
  await edition.reload();
  if (path === '/replace') return replace(edition, seen, body);
  if (path === '/restore') return restore(edition, seen);
  const { state, note, wording } = jsonOf(body);
  if (path === '/judge') return judge(edition, seen, state, note);
  if (path !== '/reword') throw new JudgementError('judge, reword, replace or restore');
  if (!sign) throw new JudgementError('no service is configured (SIGN_API_URL)');
  return reword(edition, seen, wording, sign);
}

/** Sends the texts only when they have changed since the page got them. */
function sendList(request: IncomingMessage, response: ServerResponse, list: string): void {
  const tag = `"${shortHash(list)}"`;
  response.setHeader('etag', tag);
  if (request.headers['if-none-match'] === tag) response.writeHead(304).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(list);
}

function jsonOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body.toString('utf8'))) as Record<string, unknown>;
  } catch {
    throw new JudgementError('the body is no JSON');
  }
}

/** Reads a body that is too large to its end as well: a browser reads the answer only after it has sent everything. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > MOST_BYTES)
    throw new JudgementError(
      `this file has ${Math.round(bytes / 1e6)} MB, and a clip at most ${MOST_BYTES / 1e6}`,
    );
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Sends the requested part (RFC 9110, 14.2): Safari plays no video from a server that gives no parts. */
async function sendFile(
  response: ServerResponse,
  file: string | URL,
  type: string,
  range = '',
): Promise<void> {
  const content = await readFile(file).catch(() => null);
  if (!content) return send(response, 404, { error: 'not found' });
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const first = Number(from ?? 0);
  const last = Math.min(Number(to || Infinity), content.length - 1);
  const isPart = from !== undefined && first <= last;
  const body = isPart ? content.subarray(first, last + 1) : content;
  if (isPart) response.setHeader('content-range', `bytes ${first}-${last}/${content.length}`);
  response.setHeader('accept-ranges', 'bytes');
  response.writeHead(isPart ? 206 : 200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}

function refuse(response: ServerResponse, error: unknown): void {
  const { message } = error as Error;
  if (response.headersSent) return void response.destroy();
  if (error instanceof ConflictError) return send(response, 409, { error: message, now: error.now ?? null });
  const isTheirs = error instanceof JudgementError;
  send(response, isTheirs ? 400 : error instanceof EditionError ? 500 : 502, { error: message });
}

// A site and the service for tests of sign-prepare: both on loopback, each on a free port; and a folder that is removed with the
// test.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../../demo/sandbox/index.ts';
import { signPrepare } from '../../../proxy/prepare/sign-prepare.ts';
import { listening } from '../../listening.ts';
import { readManifest, type Manifest } from '../../../src/protocol/prepared-manifest.ts';

export interface Ran {
  readonly status: number;
  readonly printed: string;
  readonly warned: string;
}

interface Site {
  readonly address: string;
  /** By path; what is not here is a 404. */
  readonly files: Map<string, { readonly type: string; readonly body: string }>;
}

export function page(...paragraphs: readonly string[]): { type: string; body: string } {
  const body = paragraphs.map((text) => `<p>${text}</p>`).join('\n');
  return { type: 'text/html; charset=utf-8', body: `<!doctype html><main>${body}</main>` };
}

export async function openSite(t: { after(done: () => Promise<void>): void }): Promise<Site> {
  const files: Site['files'] = new Map();
  const server = createServer(({ url }, response) => {
    const file = files.get(url ?? '');
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/html' });
    response.end(file?.body);
  });
  return { address: await listening(t, server), files };
}

/** A sandbox with short clips, which is closed with the test. */
export async function openService(t: { after(done: () => Promise<void>): void }): Promise<Sandbox> {
  const sandbox = await startSandbox({ render: { framesPerWord: 1, scale: 0.25 } });
  t.after(() => sandbox.close());
  return sandbox;
}

export const manifestIn = (folder: string): Manifest =>
  readManifest(JSON.parse(readFileSync(join(folder, 'signs.json'), 'utf8')));

/** Runs the program. It is stopped when `stopAt` texts are done. */
export async function run(
  args: readonly string[],
  { addresses }: Pick<Sandbox, 'addresses'>,
  stopAt = Infinity,
): Promise<Ran> {
  const [printed, warned]: [string[], string[]] = [[], []];
  const stop = new AbortController();
  const status = await signPrepare(args, {
    env: { SIGN_API_URL: addresses.apiUrl, SIGN_API_KEY: addresses.apiKey },
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
    progress: { reading: () => {}, show: (done) => done >= stopAt && stop.abort(), end: () => {} },
    stop: stop.signal,
    abort: new AbortController().signal,
  });
  return { status, printed: printed.join('\n'), warned: warned.join('\n') };
}

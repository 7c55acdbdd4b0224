// The programs of the bench of attacks: the built proxy in front of a service that only records, and a bystander that uses the
// proxy during the attacks from an address of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fakeUpstream, type FakeUpstream } from '../../proxy/fake-upstream.ts';
import { openClient, SESSION_START } from '../../proxy/client-socket.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../dist/proxy/main.js');

export interface Harness {
  readonly service: FakeUpstream;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly relay: string;
  readonly pid: number;
  openFiles(): number;
  close(): Promise<void>;
}

export const SITE = 'https://site.example';
const JSON_TYPE = { 'content-type': 'application/json' };

export const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });

/** The service answers every request at once, with a token or with one body of JSON for all operations. */
export async function startHarness(env: NodeJS.ProcessEnv = {}): Promise<Harness> {
  if (!existsSync(PROGRAM)) throw new Error('the bench attacks the built program: run `npm run build` first');
  const service = await fakeUpstream();
  answerAtOnce(service);
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      ...process.env,
      PORT: '0',
      SIGN_API_URL: service.url,
      SIGN_API_KEY: 'key-of-the-account-0123',
      SIGN_TRANSPORT_URL: service.url,
      SIGN_AUTH_URL: service.url,
      SIGN_CLIENT_ID: 'client',
      SIGN_CLIENT_SECRET: 'secret-of-the-client-0123',
      SIGN_ALLOWED_ORIGINS: SITE,
      SIGN_TRUST_PROXY: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('the proxy ended'))),
  ])) as [string];
  const [origin = ''] = /http:\/\/[^/]+/.exec(line) ?? [];
  return {
    service,
    origin,
    relay: `${origin.replace('http', 'ws')}/sign/ws/`,
    pid: child.pid ?? 0,
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async close() {
      child.kill('SIGKILL');
      await exited;
      await service.close();
    },
  };
}

let announcements = 0;

export function answerAtOnce(service: FakeUpstream): void {
  service.answer = (response, { request }) => {
    const isToken = request.url === '/oauth2/token';
    const body = isToken
      ? { access_token: 'issued-token-0123456789', expires_in: 3600, token_type: 'Bearer' }
      : { data: { id: `request-${(announcements += 1)}` }, sessionId: 'a', status: 'LIVE' };
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(body));
  };
}

export const generate = (
  { origin }: Harness,
  address: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...from(address), ...headers },
    body: JSON.stringify({ content: { data: 'Hello.' }, ...body }),
  });

/** The status of a request, after its body was read. */
export async function statusOf(pending: Promise<Response>): Promise<number> {
  const response = await pending;
  await response.arrayBuffer();
  return response.status;
}

interface Bystander {
  /** Ends the bystander. Returns how many uses it made, how many were not served, and the longest time of one. */
  stop(): Promise<{ readonly uses: number; readonly failed: number; readonly longestMs: number }>;
}

const EVERY_MS = 100;

/** Loads the elements, looks up a job and sends a text on a socket, ten times a second. */
export async function startBystander(
  { origin, relay, service }: Harness,
  address: string,
): Promise<Bystander> {
  const client = await openClient(relay, from(address));
  const session = await service.sessions.next();
  session.socket.on('message', (data: Buffer) => session.socket.send(data, { binary: false }));
  client.socket.send(SESSION_START);
  await client.frames.next();
  const stopping = new AbortController();
  let uses = 0;
  let failed = 0;
  let longestMs = 0;

  const use = async (what: () => Promise<boolean>): Promise<void> => {
    const at = performance.now();
    uses += 1;
    if (!(await what().catch(() => false))) failed += 1;
    longestMs = Math.max(longestMs, performance.now() - at);
  };
  const get = (path: string) => async (): Promise<boolean> => {
    const response = await fetch(origin + path, { headers: from(address) });
    await response.arrayBuffer();
    return response.status === 200;
  };
  const sendText = async (): Promise<boolean> => {
    client.socket.send(`{"type":"text","id":"t-${uses}","data":"Hello."}`);
    return (await client.frames.next()).includes('Hello.');
  };

  const running = (async () => {
    let turn = 0;
    while (!stopping.signal.aborted) {
      const what = [get('/sign/elements.js'), get('/sign/v1/status/job'), sendText][(turn += 1) % 3];
      if (what) await use(what);
      await setTimeout(EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      client.socket.terminate();
      return { uses, failed, longestMs };
    },
  };
}

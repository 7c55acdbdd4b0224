// Shared by the hostile tests: the program as an operator starts it, in front of a service that sends back every secret
// that it receives, and raw connections to the program.
// - After any input the program still runs and answers the next request; it sends no secret and logs no failure of its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before } from 'node:test';
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts';
import { addressOf, run, type Program } from '../program.ts';

export const KEY = 'key-of-the/"account"+1';
export const TOKEN = 'token-of-the-operator';
/** A secret that clients guess and get back as they sent it, so the search for secrets (test/secrets) does not know it. */
export const GUESSED = 'key-of-the-tickets-21';
export const SITE = 'https://site.example';

interface HostileHarness {
  readonly upstream: FakeUpstream;
  readonly program: Program;
  /** Of the program: `http://127.0.0.1:<port>`. */
  readonly url: URL;
  /** Writes `parts`, each in a packet of its own; resolves with all bytes received until the proxy closed the connection. */
  raw(parts: readonly Buffer[], init?: { readonly hangsUp?: boolean }): Promise<string>;
  /** A connection that stays open until the test ends it. */
  open(): Promise<Socket>;
}

/** For the tests of one file; after them it also checks the log of the program. */
export function hostileHarness(env: NodeJS.ProcessEnv = {}): HostileHarness {
  let upstream: FakeUpstream;
  let program: Program;
  let url: URL;
  const endings: (() => void)[] = [];

  const open = async (): Promise<Socket> => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };

  before(async () => {
    upstream = await fakeUpstream();
    upstream.answer = (response, { request }) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'set-cookie': `key=${KEY}` })
        .end(JSON.stringify({ said: [request.headers['x-api-key'], TOKEN] }));
    program = run(
      { after: (end) => void endings.push(end) },
      {
        PORT: '0',
        SIGN_API_URL: upstream.url,
        SIGN_API_KEY: KEY,
        SIGN_OPERATOR_TOKEN: TOKEN,
        SIGN_TICKET_KEY: GUESSED,
        SIGN_ALLOWED_ORIGINS: SITE,
        SIGN_REQUESTS_PER_MINUTE: '100000',
        SIGN_GENERATES_PER_MINUTE: '100000',
        ...env,
      },
    );
    url = await addressOf(program);
  });

  after(async () => {
    try {
      assert.equal((await fetch(`${url.origin}/healthz`)).status, 200);
      program.kill('SIGTERM');
      assert.equal(await program.exited, 0);
    } finally {
      for (const end of endings) end();
      await upstream.close();
    }
    noSecretIn(program.stderr());
    const levels = program
      .stderr()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: number }).level);
    const ERROR = 50;
    assert.ok(Math.max(...levels) < ERROR, program.stderr());
  });

  return {
    get upstream() {
      return upstream;
    },
    get program() {
      return program;
    },
    get url() {
      return url;
    },
    open,
    async raw(parts, { hangsUp = false } = {}) {
      const socket = await open();
      socket.setNoDelay(true);
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      const closed = once(socket, 'close');
      for (const part of parts) await new Promise((sent) => socket.write(part, sent));
      if (hangsUp) socket.end();
      await closed;
      const answer = Buffer.concat(chunks).toString('latin1');
      noSecretIn(answer);
      return answer;
    },
  };
}

/** Fails when the text contains a secret, plain or as JSON. */
export function noSecretIn(text: string): void {
  for (const secret of [KEY, JSON.stringify(KEY).slice(1, -1), TOKEN]) {
    assert.ok(!text.includes(secret), `a secret is in: ${text.slice(0, 2000)}`);
  }
}

/** Status of each answer on a connection, in order. */
export const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));

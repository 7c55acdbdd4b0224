// Hostile answers of the service, or of another server at its address, and what a client gets of them.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { GUESSED, hostileHarness, KEY, noSecretIn, TOKEN } from './harness.ts';

const harness = hostileHarness();

interface Seen {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

async function ask(answer: (response: ServerResponse) => void, path = '/sign/v1/status/job'): Promise<Seen> {
  harness.upstream.answer = answer;
  const response = await fetch(harness.url.origin + path, { redirect: 'manual' });
  return {
    status: response.status,
    head: JSON.stringify([...response.headers]),
    body: await response.text(),
  };
}

const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');
const spellings: Readonly<Record<string, string>> = {
  'as it is': KEY,
  'as JSON': JSON.stringify(KEY).slice(1, -1),
  'as JSON in JSON': JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1),
  'in \\u escapes': [...KEY].map((char) => `\\u00${hex(char)}`).join(''),
  'percent-encoded': encodeURIComponent(KEY),
  'percent-encoded twice': encodeURIComponent(encodeURIComponent(KEY)),
  'in base64, as Basic credentials': Buffer.from(`user:${KEY}`).toString('base64'),
  'in base64url': Buffer.from(KEY).toString('base64url'),
};
for (const [what, spelling] of Object.entries(spellings)) {
  for (const status of [200, 401, 500]) {
    test(`our key ${what} in a body of ${status} is redacted`, async () => {
      const { body } = await ask((response) => void response.writeHead(status).end(`{"a":"${spelling}"}`));
      assert.ok(body.includes('[redacted]') && !body.includes(spelling), body);
    });
  }
}

for (const name of ['cache-control', 'x-request-id']) {
  test(`our token in ${name} is redacted`, async () => {
    const { head } = await ask((response) => void response.writeHead(200, { [name]: TOKEN }).end('{}'));
    noSecretIn(head);
    assert.ok(head.includes('[redacted]'), head);
  });
}

test('a secret that a client has guessed in a request id comes back unchanged, so that the client learns nothing', async () => {
  harness.upstream.answer = (response, { request }) =>
    void response.writeHead(200, { 'x-request-id': request.headers['x-request-id'] }).end('{}');
  for (const id of [TOKEN, 'id-of-another-21-chars']) {
    const response = await fetch(`${harness.url.origin}/sign/v1/status/job`, {
      headers: { 'X-Request-Id': id },
    });
    assert.equal(response.headers.get('x-request-id'), id);
  }
});

test('a guess in a path, a body or a request id comes back unchanged, whether it is right or wrong', async () => {
  harness.upstream.answer = (response, { request, body }) =>
    void response.end(JSON.stringify([request.url, request.headers['x-request-id'], body]));
  const ask = async (guess: string): Promise<string> => {
    const headers = { 'X-Request-Id': guess, 'Content-Type': 'application/json' };
    const url = `${harness.url.origin}/sign/`;
    const body = JSON.stringify({ content: { data: guess } });
    const answers = [
      await fetch(`${url}v1/status/${guess}`, { headers }),
      await fetch(`${url}v2/generate`, { method: 'POST', headers, body }),
    ];
    return (await Promise.all(answers.map((each) => each.text()))).join('').replaceAll(guess, 'the guess');
  };
  const wrong = 'key-of-the-tickets-22';
  assert.equal(await ask(GUESSED), await ask(wrong));
});

test('our token in Retry-After does not come down, because it is no number of seconds', async () => {
  const { head } = await ask((response) => void response.writeHead(200, { 'retry-after': TOKEN }).end('{}'));
  noSecretIn(head);
  assert.ok(!head.includes('retry-after'), head);
});

for (const name of [
  'set-cookie',
  'location',
  'refresh',
  'link',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'clear-site-data',
  'www-authenticate',
  'server',
  'x-powered-by',
  'alt-svc',
  'service-worker-allowed',
]) {
  test(`${name} of the service does not come down`, async () => {
    const { head } = await ask(
      (response) => void response.writeHead(200, { [name]: 'of-the-service' }).end('{}'),
    );
    assert.ok(!head.includes('of-the-service'), head);
  });
}

test('an answer of HTML with a script comes down with headers that keep a browser from running it', async () => {
  const html = '<script>alert(1)</script>';
  const { head, body } = await ask(
    (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(html),
  );
  assert.equal(body, html);
  assert.match(head, /"content-security-policy","default-src 'none'; sandbox"/);
  assert.match(head, /"x-content-type-options","nosniff"/);
});

for (const [what, answer, status, code] of [
  [
    'a redirect to elsewhere',
    (r) => void r.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
    502,
    'protocol_error',
  ],
  [
    'a permanent redirect',
    (r) => void r.writeHead(308, { location: '/v2/live/sessions' }).end(),
    502,
    'protocol_error',
  ],
  ['"not modified"', (r) => void r.writeHead(304).end(), 502, 'protocol_error'],
  [
    'a 303 to a script',
    (r) => void r.writeHead(303, { location: 'javascript:alert(1)' }).end(),
    502,
    'protocol_error',
  ],
  [
    'a 303 to data',
    (r) => void r.writeHead(303, { location: 'data:text/html,a' }).end(),
    502,
    'protocol_error',
  ],
  [
    'a 303 to a file',
    (r) => void r.writeHead(303, { location: 'file:///etc/passwd' }).end(),
    502,
    'protocol_error',
  ],
  [
    'a compressed body',
    (r) => void r.writeHead(200, { 'content-encoding': 'br' }).end('a'),
    502,
    'protocol_error',
  ],
  [
    'twenty thousand pieces of one byte',
    (r) => {
      for (let piece = 0; piece < 20_000; piece += 1) r.write('1');
      r.end();
    },
    502,
    'protocol_error',
  ],
  [
    'a hundred early hints and then JSON',
    (r) => {
      for (let hint = 0; hint < 100; hint += 1) r.writeEarlyHints({ link: '</a>; rel=preload' });
      r.end('{}');
    },
    502,
    'protocol_error',
  ],
  ['2 MB', (r) => void r.end(Buffer.alloc(2 * 1024 * 1024)), 502, 'protocol_error'],
  [
    'a head of 20 kB',
    (r) => void r.writeHead(200, { a: 'a'.repeat(20_000) }).end(),
    502,
    'upstream_unreachable',
  ],
  [
    'less than it promised',
    (r) => void r.writeHead(200, { 'content-length': 9 }).write('a', () => r.destroy()),
    502,
    'upstream_unreachable',
  ],
  ['what is no HTTP', (r) => void r.socket?.end('nonsense\r\n\r\n'), 502, 'upstream_unreachable'],
  ['nothing', (r) => void r.destroy(), 502, 'upstream_unreachable'],
] as readonly (readonly [string, (response: ServerResponse) => void, number, string])[]) {
  test(`an answer that is ${what}: ${status} ${code}`, async () => {
    const seen = await ask(answer);
    assert.equal(seen.status, status);
    assert.equal((JSON.parse(seen.body) as { code: string }).code, code);
    assert.ok(!seen.head.includes('location'), seen.head);
  });
}

// Hostile HTTP, byte by byte: what each got, and how many requests of it reached the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileStage, SITE, statuses } from './stage.ts';

const stage = hostileStage();
const HOST = 'Host: proxy.example\r\n';
const CLOSE = 'Connection: close\r\n';

/** A GET that is in order but for what a test adds. */
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${HOST}${CLOSE}${headers}\r\n`;

const OK_BODY = '{"content":{"data":"a"}}';
const post = (body: string | Buffer, headers = '', length = Buffer.byteLength(body)): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST /sign/v2/generate HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: application/json\r\n` +
        `Content-Length: ${length}\r\n${headers}\r\n`,
      'latin1',
    ),
    Buffer.from(body),
  ]);
/** The same without a length of its own. */
const postWith = (framing: string, body: string): string =>
  `POST /sign/v2/generate HTTP/1.1\r\n${HOST}${CLOSE}Content-Type: application/json\r\n${framing}\r\n${body}`;
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

interface Attack {
  readonly what: string;
  readonly send: string | Buffer | readonly (string | Buffer)[];
  /** Status of each answer. */
  readonly got: readonly number[];
  /** Requests that reached the service. */
  readonly reached?: number;
  /** Whether the sender hangs up when all is sent; else it waits for the proxy to. */
  readonly hangsUp?: boolean;
}

const smuggling: readonly Attack[] = [
  {
    what: 'a length and chunks together',
    send: postWith(`Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`, chunked(OK_BODY)),
    got: [400],
  },
  {
    what: 'chunks and a length together',
    send: postWith(`Transfer-Encoding: chunked\r\nContent-Length: ${OK_BODY.length}\r\n`, chunked(OK_BODY)),
    got: [400],
  },
  {
    what: 'two lengths that differ',
    send: postWith(`Content-Length: 24\r\nContent-Length: 5\r\n`, OK_BODY),
    got: [400],
  },
  {
    what: 'a length twice',
    send: postWith(`Content-Length: 24\r\nContent-Length: 24\r\n`, OK_BODY),
    got: [400],
  },
  { what: 'a list of lengths', send: postWith(`Content-Length: 24, 24\r\n`, OK_BODY), got: [400] },
  { what: 'a length with a plus', send: postWith(`Content-Length: +24\r\n`, OK_BODY), got: [400] },
  { what: 'a negative length', send: postWith(`Content-Length: -1\r\n`, OK_BODY), got: [400] },
  { what: 'a length in hex', send: postWith(`Content-Length: 0x18\r\n`, OK_BODY), got: [400] },
  {
    what: 'a length over 64 bits',
    send: postWith(`Content-Length: 18446744073709551617\r\n`, OK_BODY),
    got: [400],
  },
  { what: 'a space before the colon', send: postWith(`Content-Length : 24\r\n`, OK_BODY), got: [400] },
  {
    what: 'an unknown transfer coding',
    send: postWith(`Transfer-Encoding: xchunked\r\n`, chunked(OK_BODY)),
    got: [400],
  },
  {
    what: 'chunked twice',
    send: postWith(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`, chunked(OK_BODY)),
    got: [400],
  },
  {
    what: 'chunked not last',
    send: postWith(`Transfer-Encoding: chunked, gzip\r\n`, chunked(OK_BODY)),
    got: [400],
  },
  {
    what: 'a chunk size that is none',
    send: postWith(`Transfer-Encoding: chunked\r\n`, 'zz\r\na\r\n0\r\n\r\n'),
    got: [400],
  },
  {
    what: 'a chunk size over 64 bits',
    send: postWith(`Transfer-Encoding: chunked\r\n`, `${'f'.repeat(20)}\r\na\r\n0\r\n\r\n`),
    got: [400],
  },
  {
    what: 'a chunk that is longer than its size',
    send: postWith(`Transfer-Encoding: chunked\r\n`, `2\r\n${OK_BODY}\r\n0\r\n\r\n`),
    got: [400],
  },
  {
    what: 'a chunk extension of 32 kB',
    send: postWith(`Transfer-Encoding: chunked\r\n`, `1;${'a'.repeat(32_768)}\r\na\r\n0\r\n\r\n`),
    got: [400],
  },
  { what: 'a header folded over two lines', send: get('/healthz', 'X-A: b\r\n c\r\n'), got: [400] },
  { what: 'a header without a name', send: get('/healthz', ': a\r\n'), got: [400] },
  { what: 'a header without a colon', send: get('/healthz', 'abc\r\n'), got: [400] },
  { what: 'a NUL in a header', send: get('/healthz', 'X-A: a\0b\r\n'), got: [400] },
  { what: 'a bare CR in a header', send: get('/healthz', 'X-A: a\rX-B: c\r\n'), got: [400] },
  { what: 'a body that is shorter than its length', send: post(OK_BODY, '', 99), got: [400], hangsUp: true },
  {
    what: 'a second request in the body of the first: it is body',
    send: post(`${get('/sign/v1/silence')}`),
    got: [400],
  },
  {
    what: 'a second request behind the first: it has its own Origin check',
    send: [
      post(OK_BODY).toString('latin1').replace(CLOSE, ''),
      get('/sign/v1/silence', 'Origin: https://evil.example\r\n'),
    ],
    got: [200, 403],
    reached: 1,
  },
  { what: 'HTTP/2 without being asked', send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', got: [400] },
  { what: 'HTTP/0.9: it is answered, as HTTP/1.1', send: 'GET /healthz\r\n\r\n', got: [200] },
  { what: 'no Host', send: `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`, got: [400] },
  { what: 'TLS on a plain port', send: Buffer.from('16030100a5010000a10303', 'hex'), got: [400] },
];

const paths: readonly Attack[] = [
  ...[
    '/sign/../healthz',
    '/sign/v1/../../metrics',
    '/sign/%2e%2e/healthz',
    '/sign/v1/..;/v2/live/sessions',
    '/sign//v1/silence',
    '//sign/v1/silence',
    '/sign/./v1/silence',
    '/SIGN/v1/silence',
    '/sign/v1/silence/',
    '/sign/v1/silence%00',
    '/sign/v1/silence;a=b',
    '/sign/v1%2Fsilence',
    '/%2Fsign/v1/silence',
    '/sign\\v1\\silence',
    '/sign/v1/status/a/b',
    '/sign/v1/status/../silence',
    '/sign/chunks/../sign-elements.js',
    '/sign/chunks/..%2f..%2fmain.js',
    '/sign/chunks/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/sign/chunks/..%5c..%5cmain.js',
    '/sign/.env',
    '/sign/v2/generate.json',
    '/sign/__proto__',
    '/sign/v1/sign-requests/a',
  ].map((path) => ({ what: `GET ${path.slice(0, 50)}`, send: get(path), got: [404] })),
  ...['/sign/%c0%ae%c0%ae/healthz', '/sign/v1/status/%', '/sign/v1/status/%e0%80%af', '/sign/%zz'].map(
    (path) => ({
      what: `GET ${path}, which is no URL`,
      send: get(path),
      got: [400],
    }),
  ),
  ...['..%2fsilence', '%2e%2e', '..', 'a%2f..%2fb', 'a%0d%0aX-A:%20b', '%00', '%252e%252e'].map((id) => ({
    what: `the job id ${id}`,
    send: get(`/sign/v1/status/${id}`),
    got: [400],
  })),
  { what: 'a job without an id', send: get('/sign/v1/status/'), got: [400] },
  { what: 'a job id of 101 letters', send: get(`/sign/v1/status/${'a'.repeat(101)}`), got: [414] },
  {
    what: 'another host in the request line: the path counts, and goes to our service',
    send: get('http://evil.example/sign/v1/silence'),
    got: [200],
    reached: 1,
  },
  {
    what: 'another host in the request line does not make its Origin ours',
    send: get('http://evil.example/sign/v1/silence', 'Origin: http://evil.example\r\n'),
    got: [403],
  },
  { what: 'a request line without a path', send: get('evil.example:80'), got: [400] },
  { what: 'a tunnel', send: `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`, got: [] },
  { what: 'OPTIONS *', send: `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, got: [404] },
  { what: 'TRACE', send: `TRACE /sign/v1/silence HTTP/1.1\r\n${HOST}${CLOSE}X-A: b\r\n\r\n`, got: [404] },
  {
    what: 'a method of one’s own',
    send: `BREW /sign/v1/silence HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    got: [400],
  },
  {
    what: 'a method in small letters',
    send: `get /sign/v1/silence HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    got: [400],
  },
];

const origins: readonly Attack[] = [
  'https://evil.example',
  'null',
  'NULL',
  '',
  `${SITE}.evil.example`,
  `${SITE}@evil.example`,
  `${SITE}/`,
  `${SITE}:443`,
  `${SITE}:8443`,
  SITE.toUpperCase(),
  SITE.replace('https', 'http'),
  `${SITE} https://evil.example`,
  `${SITE},https://evil.example`,
  'https://evil.example#https://site.example',
  'https://sub.site.example',
  'file://',
  'chrome-extension://abc',
  '*',
  'https://127.0.0.1',
  'http://proxy.example:81',
].map((origin) => ({
  what: `the Origin ${JSON.stringify(origin)}`,
  send: get('/sign/v1/silence', `Origin: ${origin}\r\n`),
  got: [403],
}));

const headers: readonly Attack[] = [
  {
    what: 'two Origins',
    send: get('/sign/v1/silence', `Origin: ${SITE}\r\nOrigin: https://evil.example\r\n`),
    got: [403],
  },
  {
    what: 'a page of elsewhere without an Origin',
    send: get('/sign/v1/silence', 'Sec-Fetch-Site: cross-site\r\n'),
    got: [403],
  },
  {
    what: 'a Host that would make a stranger’s Origin our own, over X-Forwarded-Host',
    send: get(
      '/sign/v1/silence',
      'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nOrigin: https://evil.example\r\n',
    ),
    got: [403],
  },
  {
    what: 'another method and path by header',
    send: get(
      '/sign/v1/silence',
      'X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /sign/v2/live/sessions\r\n',
    ),
    got: [200],
    reached: 1,
  },
  { what: 'a header of 17 kB', send: get('/healthz', `X-A: ${'a'.repeat(17_000)}\r\n`), got: [431] },
  { what: 'a URL of 17 kB', send: get(`/healthz?${'a'.repeat(17_000)}`), got: [431] },
  {
    what: 'three thousand headers: those over 2,000 are not looked at',
    send: get('/healthz', 'A: b\r\n'.repeat(3_000)),
    got: [200],
  },
  { what: 'an expectation that nobody meets', send: post(OK_BODY, 'Expect: 999-hurry\r\n'), got: [417] },
  {
    what: 'a hop-by-hop header that names our key',
    send: post(OK_BODY, 'Connection: X-API-KEY\r\n'),
    got: [200],
    reached: 1,
  },
  { what: 'a query that stands twice', send: get('/sign/v1/silence?format=ts&format=mp4'), got: [400] },
  {
    what: 'a query of objects',
    send: get('/sign/v1/silence?format[]=ts&__proto__[a]=b'),
    got: [200],
    reached: 1,
  },
];

const nested = (depth: number): string =>
  `{"content":{"data":"a"},"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const bodies: readonly Attack[] = [
  { what: 'a body that says it has 300 kB', send: post('', '', 300 * 1024), got: [413] },
  {
    what: 'a body of 300 kB in chunks',
    send: postWith('Transfer-Encoding: chunked\r\n', chunked('a'.repeat(300 * 1024))),
    got: [413],
  },
  { what: 'a body 17 deep', send: post(nested(17)), got: [400] },
  { what: 'a body 100,000 deep', send: post(nested(100_000)), got: [400] },
  { what: 'a body that never closes its lists', send: post('['.repeat(200_000)), got: [400] },
  { what: '__proto__', send: post('{"content":{"data":"a"},"__proto__":{"a":1}}'), got: [400] },
  {
    what: 'constructor.prototype',
    send: post('{"content":{"data":"a"},"constructor":{"prototype":{"a":1}}}'),
    got: [400],
  },
  { what: 'UTF-16', send: post(Buffer.from(OK_BODY, 'utf16le')), got: [400] },
  {
    what: 'bytes that are no UTF-8',
    send: post(Buffer.from('{"content":{"data":"\xff\xfe"}}', 'latin1')),
    got: [200],
    reached: 1,
  },
  {
    what: 'a compressed body',
    send: post(Buffer.from('1f8b0800', 'hex'), 'Content-Encoding: gzip\r\n'),
    got: [400],
  },
  { what: 'an empty body', send: post(''), got: [400] },
  { what: 'NaN', send: post('{"content":{"data":"a","duration":NaN}}'), got: [400] },
  { what: 'a second value behind the first', send: post(`${OK_BODY}{}`), got: [400] },
  { what: 'a text of 20,001 bytes', send: post(`{"content":{"data":"${'a'.repeat(20_001)}"}}`), got: [400] },
  {
    what: 'a text of 20,001 bytes in escapes',
    send: post(`{"content":{"data":"${'\\u00e9'.repeat(10_001)}"}}`),
    got: [400],
  },
  {
    what: 'display without the token',
    send: post('{"content":{"data":"a"},"output":{"delivery":{"method":"display"}}}'),
    got: [401],
  },
  {
    what: 'push in another key',
    send: post('{"content":{"data":"a"},"output":{"delivery":{"METHOD":"push"}}}'),
    got: [400],
  },
  {
    what: 'push behind a key that stands twice: only the last one goes up',
    send: post('{"content":{"data":"a"},"output":{"delivery":{"method":"push","method":"stream"}}}'),
    got: [200],
    reached: 1,
  },
];

for (const { what, send, got, reached = 0, hangsUp = false } of [
  ...smuggling,
  ...paths,
  ...origins,
  ...headers,
  ...bodies,
]) {
  test(`${what}: ${got.join(', ') || 'no answer'}`, async () => {
    const before = stage.upstream.checks.length;
    const parts = typeof send === 'string' || Buffer.isBuffer(send) ? [send] : send;
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part));
    const answer = await stage.raw(bytes, { hangsUp });
    assert.deepEqual(statuses(answer), got, answer.slice(0, 500));
    assert.equal(stage.upstream.checks.length - before, reached);
    assert.doesNotMatch(answer, /^set-cookie:/im);
    if (got.includes(403)) assert.doesNotMatch(answer, /^access-control-allow-origin: /im);
  });
}

test('what went up of all this had our key, JSON, and nothing that a page wrote beside it', () => {
  for (const { request, body } of stage.upstream.asked.all) {
    const known = ['host', 'connection', 'content-length', 'content-type', 'x-request-id', 'x-api-key'];
    assert.deepEqual(
      Object.keys(request.headers).filter((name) => !known.includes(name)),
      [],
    );
    if (request.method === 'POST') assert.equal(typeof JSON.parse(body), 'object');
    assert.doesNotMatch(body, /"push"|"display"/);
  }
});

// Paths that leave the prefix (`..` and its spellings), and methods that no path has.
// - A path is compared as it was written and never normalised first.
// - The host of a request line decides nothing.
import { CLOSE, get, HOST, type Attack } from './attack.ts';

export const paths: readonly Attack[] = [
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
  {
    what: 'a job id of 256 letters',
    send: get(`/sign/v1/status/${'a'.repeat(256)}`),
    got: [200],
    reached: 1,
  },
  { what: 'a job id of 257 letters', send: get(`/sign/v1/status/${'a'.repeat(257)}`), got: [400] },
  { what: 'a job id of 1,001 letters', send: get(`/sign/v1/status/${'a'.repeat(1_001)}`), got: [414] },
  {
    what: 'another host in the request line: the path counts, and goes to our service',
    send: get('http://evil.example/sign/v1/silence?format=ts'),
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
    what: 'a method that does not exist',
    send: `BREW /sign/v1/silence HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    got: [400],
  },
  {
    what: 'a method in small letters',
    send: `get /sign/v1/silence HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    got: [400],
  },
];

// Requests whose end two servers could see in different places, and bytes that are no HTTP/1.1.
// - A request whose end is in doubt is refused whole.
// - Bytes after a request are checked as a request of their own.
import { chunked, CLOSE, get, HOST, OK_BODY, post, postWith, type Attack } from './attack.ts';

/** A request that is still being answered when the bytes after it in the same packet are read. */
const UNANSWERED = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
const upgradeTo = (path: string, protocol: string): string =>
  `GET ${path} HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

export const smuggling: readonly Attack[] = [
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
  ...['chunked, identity', 'gzip, chunked', 'identity, chunked'].map((coding) => ({
    what: `the transfer coding ${coding}, and a second request behind it`,
    send:
      postWith(`Transfer-Encoding: ${coding}\r\n`, '0\r\n\r\n').replace(CLOSE, 'Connection: keep-alive\r\n') +
      get('/sign/v1/status/job'),
    got: [400],
  })),
  {
    what: 'chunks in HTTP/1.0, which has none, and a second request behind them',
    send:
      postWith(`Transfer-Encoding: chunked\r\n`, chunked(OK_BODY))
        .replace('HTTP/1.1', 'HTTP/1.0')
        .replace(CLOSE, 'Connection: keep-alive\r\n') + get('/healthz'),
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
    what: 'a second request in the packet of the first: it is not read',
    send: post(OK_BODY).toString('latin1').replace(CLOSE, '') + get('/sign/v1/silence'),
    got: [200],
    reached: 1,
  },
  {
    what: 'an upgrade of the relay behind an unanswered request',
    send: UNANSWERED + upgradeTo('/sign/ws/', 'websocket'),
    got: [],
  },
  {
    what: 'an offer of another protocol behind an unanswered request: it is a plain request, and not read',
    send: UNANSWERED + upgradeTo('/', 'h2c'),
    got: [200],
  },
  { what: 'HTTP/2 without an upgrade', send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', got: [400] },
  { what: 'HTTP/0.9: it is answered, as HTTP/1.1', send: 'GET /healthz\r\n\r\n', got: [200] },
  { what: 'no Host', send: `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`, got: [400] },
  { what: 'TLS on a plain port', send: Buffer.from('16030100a5010000a10303', 'hex'), got: [400] },
];

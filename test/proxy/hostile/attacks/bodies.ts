// Bodies that are too big, too deep, no JSON, or have a field that only the operator may set.
// - The service gets what the proxy parsed and checked, serialised again.
import { chunked, OK_BODY, post, postWith, type Attack } from './attack.ts';

const nested = (depth: number): string =>
  `{"content":{"data":"a"},"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

export const bodies: readonly Attack[] = [
  { what: 'a body that says it has 300 kB', send: post('', '', 300 * 1024), got: [413] },
  {
    what: 'a body of 300 kB in chunks',
    send: postWith('Transfer-Encoding: chunked\r\n', chunked('a'.repeat(300 * 1024))),
    got: [413],
  },
  ...[
    [1_000, 200],
    [2_000, 400],
  ].map(([count = 0, status = 0]) => ({
    what: `a body in ${count} chunks of one byte`,
    send: postWith(
      'Transfer-Encoding: chunked\r\n',
      `${OK_BODY.padEnd(count).replaceAll(/./g, '1\r\n$&\r\n')}0\r\n\r\n`,
    ),
    got: [status],
    ...(status === 200 && { reached: 1 }),
  })),
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
  { what: 'a second value after the first', send: post(`${OK_BODY}{}`), got: [400] },
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
    what: 'push under the key METHOD',
    send: post('{"content":{"data":"a"},"output":{"delivery":{"METHOD":"push"}}}'),
    got: [400],
  },
  {
    what: 'push under a key that is there twice: only the last one goes up',
    send: post('{"content":{"data":"a"},"output":{"delivery":{"method":"push","method":"stream"}}}'),
    got: [200],
    reached: 1,
  },
];

// Headers and queries that try to change the meaning of a request, or are too long.
// - A header that the proxy does not use changes nothing.
// - A header that is there twice, is too long or asks for something impossible is refused.
import { get, OK_BODY, post, type Attack } from './attack.ts';

export const headers: readonly Attack[] = [
  {
    what: 'another method and path by header',
    send: get(
      '/sign/v1/status/job',
      'X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /sign/v2/live/sessions\r\n',
    ),
    got: [200],
    reached: 1,
  },
  {
    what: 'two Hosts',
    send: get('/healthz', 'Host: evil.example\r\n'),
    got: [400],
  },
  { what: 'a header of 17 kB', send: get('/healthz', `X-A: ${'a'.repeat(17_000)}\r\n`), got: [431] },
  { what: 'a URL of 17 kB', send: get(`/healthz?${'a'.repeat(17_000)}`), got: [431] },
  {
    what: 'three thousand headers',
    send: get('/healthz', 'A: b\r\n'.repeat(3_000)),
    got: [431],
  },
  {
    what: 'a second Host after 90 other headers',
    send: get('/healthz', `${'A: b\r\n'.repeat(90)}Host: evil.example\r\n`),
    got: [400],
  },
  {
    what: 'a second Host after 1,500 other headers',
    send: get('/healthz', `${'A: b\r\n'.repeat(1_500)}Host: evil.example\r\n`),
    got: [431],
  },
  { what: 'an expectation that nobody meets', send: post(OK_BODY, 'Expect: 999-hurry\r\n'), got: [417] },
  {
    what: 'a body of 300 kB that waits for 100',
    send: post('', 'Expect: 100-continue\r\n', 300 * 1024),
    got: [413],
  },
  {
    what: 'a body of an unknown page that waits for 100',
    send: post(OK_BODY, 'Expect: 100-continue\r\nOrigin: https://evil.example\r\n'),
    got: [403],
  },
  {
    what: 'a hop-by-hop header that names our key',
    send: post(OK_BODY, 'Connection: X-API-KEY\r\n'),
    got: [200],
    reached: 1,
  },
  { what: 'a query that is there twice', send: get('/sign/v1/silence?format=ts&format=mp4'), got: [400] },
  {
    what: 'a query of objects',
    send: get('/sign/v1/silence?format[]=ts&__proto__[a]=b&signer=RAE'),
    got: [200],
    reached: 1,
  },
];

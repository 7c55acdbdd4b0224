// Clients of other sites that try to pass for a client of an allowed origin.
// - An Origin is refused unless it is exactly an allowed one, whatever else a request holds.
import { SITE } from '../harness.ts';
import { get, type Attack } from './attack.ts';

export const origins: readonly Attack[] = [
  ...[
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
  })),
  {
    what: 'two Origins',
    send: get('/sign/v1/silence', `Origin: ${SITE}\r\nOrigin: https://evil.example\r\n`),
    got: [403],
  },
  {
    what: 'the Origin of another site after 90 other headers',
    send: get('/sign/v1/silence', `${'A: b\r\n'.repeat(90)}Origin: https://evil.example\r\n`),
    got: [403],
  },
  ...[
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: SAME-SITE',
    'Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: ',
  ].map((header) => ({
    what: `a client of another site without an Origin, ${JSON.stringify(header)}`,
    send: get('/sign/v1/silence', `${header}\r\n`),
    got: [403],
  })),
  {
    what: 'an X-Forwarded-Host that would make the Origin of another site our own',
    send: get(
      '/sign/v1/silence',
      'X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nOrigin: https://evil.example\r\n',
    ),
    got: [403],
  },
];

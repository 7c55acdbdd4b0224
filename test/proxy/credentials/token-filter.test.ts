// In which spellings the access token is found, however long it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor, withSecret, type Redactor } from '../../../proxy/credentials/redaction.ts';

const SECRET = 'client-secret';
const secrets = createRedactor([SECRET]);
const hiding = (token: string): Redactor => withSecret(secrets, token);

const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');

for (const [what, token] of [
  ['as short as one may be', 'tok1'],
  ['of a usual length', 'token/with+slash-2='],
  ['as long as one may be', 'aZ0/+_-~.9'.repeat(819)],
] as const) {
  const { text, bytes } = hiding(token);
  const each = (write: (char: string) => string): string => [...token].map(write).join('');
  const slashed = token.replaceAll('/', '\\/');
  const spellings: Record<string, string> = {
    plain: token,
    'JSON-escaped with \\/': slashed,
    'JSON in JSON': JSON.stringify(slashed).slice(1, -1),
    '\\u escapes': each((char) => `\\u00${hex(char)}`),
    'percent-encoded': encodeURIComponent(token),
    'percent-encoded throughout': each((char) => `%${hex(char)}`),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(token)),
    'escaped for HTML by numbers': each((char) => `&#${char.charCodeAt(0)};`),
    'escaped for HTML by hexadecimal numbers': token.replace(
      /\W/g,
      (char) => `&#x${hex(char).toUpperCase()};`,
    ),
  };
  for (const [spelling, written] of Object.entries(spellings)) {
    test(`finds a token that is ${what}: ${spelling}`, () => {
      assert.equal(text(`é%20<${written}> \\u00e9 <${written}>`), 'é%20<[redacted]> \\u00e9 <[redacted]>');
    });
  }

  for (const encoding of ['base64', 'base64url'] as const) {
    test(`finds a token that is ${what} in ${encoding}, wherever it begins`, () => {
      for (const before of ['', '1', '12', 'Bearer ']) {
        const found = text(Buffer.from(`${before}${token}`).toString(encoding));
        assert.match(found, /^[\w+/-]{0,10}\[redacted\][\w+/=-]{0,4}$/);
      }
    });
  }

  test(`around a token that is ${what} bytes stay as they came, and without it the same buffer comes back`, () => {
    const around = Buffer.from([0xff, 0x00, 0x5c, 0x2f, 0x25, 0x32, 0x30]);
    assert.equal(bytes(around), around);
    const found = bytes(Buffer.concat([around, Buffer.from(slashed), around]));
    assert.deepEqual(found, Buffer.concat([around, Buffer.from('[redacted]'), around]));
  });
}

test('a token of what HTML has names for is found by them', () => {
  assert.equal(hiding(`a<b>c&d'e"f`).text('<a&lt;b&gt;c&AMP;d&apos;e&quot;f;>'), '<[redacted];>');
});

test('a token in which something stands that looks like an escape is found', () => {
  const token = 'sv=2&sig=a%2Fbc%3D';
  const { text } = hiding(token);
  for (const written of [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]) {
    assert.equal(text(`<${written}>`), '<[redacted]>', written);
  }
});

test('secrets are found as well, and a token that was named long ago is found when it is named again', () => {
  const tokens = ['token-number-1', 'token-number-2', 'token-number-3', 'token-number-1'];
  for (const token of tokens) assert.equal(hiding(token).text(`${token} ${SECRET}`), '[redacted] [redacted]');
});

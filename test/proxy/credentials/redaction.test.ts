// In which spellings secrets and access tokens are redacted, and what stays unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createRedactor,
  type Redactor,
  redactorFor,
  withSecret,
} from '../../../proxy/credentials/redaction.ts';

const SECRET = 'a/b+c="Z\\9_-~key';
const { bytes, text } = createRedactor([SECRET]);

const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');
const each = (write: (char: string, index: number) => string): string => [...SECRET].map(write).join('');
const json = JSON.stringify(SECRET).slice(1, -1);

const spellings: Record<string, string> = {
  plain: SECRET,
  'JSON-escaped': json,
  'JSON-escaped with \\/': json.replaceAll('/', '\\/'),
  'JSON in JSON': JSON.stringify(json).slice(1, -1),
  '\\u escapes': each((char) => `\\u00${hex(char)}`),
  '\\u escapes in capitals': each((char) => `\\u00${hex(char).toUpperCase()}`),
  '\\u escapes inside JSON in JSON': each((char) => `\\\\u00${hex(char)}`),
  'percent-encoded by encodeURIComponent': encodeURIComponent(SECRET),
  'percent-encoded throughout, small letters': each((char) => `%${hex(char)}`),
  'percent-encoded twice': encodeURIComponent(encodeURIComponent(SECRET)),
  'escaped for HTML': SECRET.replaceAll('"', '&quot;'),
  'escaped for HTML twice': SECRET.replaceAll('"', '&amp;quot;'),
  'escaped for HTML twice, by numbers': each((char) => `&amp;#${char.charCodeAt(0)};`),
  'in base64 of its percent-encoding': Buffer.from(encodeURIComponent(SECRET)).toString('base64'),
  'escaped for HTML by numbers': each((char) => `&#${char.charCodeAt(0)};`),
  'escaped for HTML by numbers of three digits': each(
    (char) => `&#${String(char.charCodeAt(0)).padStart(3, '0')};`,
  ),
  'escaped for HTML by hexadecimal numbers': each((char) => `&#x${hex(char).toUpperCase()};`),
  'escaped for HTML where it has to be, by numbers, inside JSON': JSON.stringify(
    SECRET.replace(/[^\w\\]/g, (char) => `&#x${hex(char)};`),
  ).slice(1, -1),
  'a mixture': each((char, index) => [char, `\\u00${hex(char)}`, `%${hex(char)}`][index % 3] ?? char),
};
for (const [what, spelling] of Object.entries(spellings)) {
  test(`finds a secret that is ${what}`, () => {
    assert.equal(text(`<${spelling}> <${spelling}>`), '<[redacted]> <[redacted]>');
  });
}

test('one escaped character among plain ones does not hide a secret, whichever it is', () => {
  for (let at = 0; at < SECRET.length; at += 1) {
    for (const escape of ['\\u00', '\\\\u00', '%', '%25']) {
      const spelling = each((char, index) => (index === at ? escape + hex(char) : char));
      assert.equal(text(`<${spelling}>`), '<[redacted]>', spelling);
    }
  }
});

test('every character that has a name in HTML is found by that name', () => {
  const named = createRedactor([`a<b>c&d'e"f`]);
  assert.equal(named.text('<a&lt;b&gt;c&amp;d&apos;e&quot;f>'), '<[redacted]>');
});

test('escaped characters that no secret has stay as they are', () => {
  const frame = '{"message":"\\u00e9 \\n %20 %C3%A9 100% &nbsp; &#233; a&b=1"}';
  assert.equal(text(frame), frame);
});

const digits = (encoded: string): number => encoded.replace(/=+$/, '').length;
for (const encoding of ['base64', 'base64url'] as const) {
  test(`finds a secret in ${encoding}, wherever in the encoded text the secret begins and ends`, () => {
    for (const before of ['', '1', '12', 'user:']) {
      for (const after of ['', '1', '12']) {
        const whole = before + SECRET + after;
        const encoded = Buffer.from(whole).toString(encoding);
        const [head = '', tail = '', ...more] = text(encoded).split('[redacted]');
        assert.deepEqual(more, [], encoded);
        // A digit holds six bits, and zeros fill the last digit. No digit that holds a bit of the secret may be left.
        const filling = digits(encoded) * 6 - whole.length * 8;
        assert.ok(digits(head) * 6 <= before.length * 8, head);
        assert.ok(digits(tail) * 6 <= after.length * 8 + filling, tail);
      }
    }
  });
}

test('base64 whose slashes are JSON-escaped is found too', () => {
  const slashes = createRedactor(['???????>>>>>>']);
  const encoded = Buffer.from('???????>>>>>>').toString('base64');
  assert.ok(encoded.includes('/'));
  assert.equal(slashes.text(`"${encoded.replaceAll('/', '\\/')}"`), '"[redacted]"');
});

test('the bytes around a secret stay as they came, and a frame without a secret stays the same buffer', () => {
  const around = Buffer.concat([Buffer.from('é\u{1F9D1}'), Buffer.from([0xff, 0x00])]);
  assert.equal(bytes(around), around);
  const found = bytes(Buffer.concat([around, Buffer.from(SECRET), around]));
  assert.deepEqual(found, Buffer.concat([around, Buffer.from('[redacted]'), around]));
});

test('text that only resembles a secret passes', () => {
  for (const like of [SECRET.slice(0, -1), SECRET.toUpperCase(), SECRET.replace('9', '8')]) {
    assert.equal(text(like), like);
  }
});

test('where one secret begins with another, the longer one is replaced as a whole', () => {
  const both = createRedactor(['secret-1', 'secret-1-and-more']);
  assert.equal(both.text('secret-1-and-more secret-1'), '[redacted] [redacted]');
});

test('without secrets everything passes', () => {
  const none = createRedactor([]);
  assert.equal(none.text('secret'), 'secret');
});

const CLIENT_SECRET = 'client-secret';
const secrets = createRedactor([CLIENT_SECRET]);
const hiding = (token: string): Redactor => withSecret(secrets, token);

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

  test(`the bytes around a token that is ${what} stay as they came, and a frame without it stays the same buffer`, () => {
    const around = Buffer.from([0xff, 0x00, 0x5c, 0x2f, 0x25, 0x32, 0x30]);
    assert.equal(bytes(around), around);
    const found = bytes(Buffer.concat([around, Buffer.from(slashed), around]));
    assert.deepEqual(found, Buffer.concat([around, Buffer.from('[redacted]'), around]));
  });
}

test('a token of characters that have names in HTML is found by those names', () => {
  assert.equal(hiding(`a<b>c&d'e"f`).text('<a&lt;b&gt;c&AMP;d&apos;e&quot;f;>'), '<[redacted];>');
});

test('a token that contains something like an escape is found', () => {
  const token = 'sv=2&sig=a%2Fbc%3D';
  const { text } = hiding(token);
  for (const written of [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]) {
    assert.equal(text(`<${written}>`), '<[redacted]>', written);
  }
});

test('secrets are found beside a token, and an old token is found when it is in use again', () => {
  const tokens = ['token-number-1', 'token-number-2', 'token-number-3', 'token-number-1'];
  for (const token of tokens)
    assert.equal(hiding(token).text(`${token} ${CLIENT_SECRET}`), '[redacted] [redacted]');
});

test('a client gets back what it has sent itself, in each spelling, and no other secret', () => {
  const [own, other] = ['guessed-right-by-a-client', 'guessed-by-nobody-at-all'];
  for (const sent of [own, encodeURIComponent(own), Buffer.from(own).toString('base64')]) {
    const redactor = redactorFor(createRedactor([own, other]), () => [`{"id":"${sent}"}`]);
    assert.equal(redactor.text(`${own} ${sent} ${other}`), `${own} ${sent} [redacted]`);
    assert.equal(redactor.bytes(Buffer.from(`${sent} ${other}`)).toString(), `${sent} [redacted]`);
  }
});

test('an access token that a client has sent itself is not hidden from that client', () => {
  const token = 'a-token-that-was-guessed';
  const redactor = redactorFor(hiding(token), () => [token]);
  assert.equal(redactor.text(`${token} ${CLIENT_SECRET}`), `${token} [redacted]`);
});

test('a redactor that leaves out some secrets finds the others, also beside an access token', () => {
  const redactor = hiding('a-token-that-is-hidden').without([CLIENT_SECRET]);
  assert.equal(redactor.text(`${CLIENT_SECRET} a-token-that-is-hidden`), `${CLIENT_SECRET} [redacted]`);
});

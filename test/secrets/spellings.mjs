// Every spelling in which a program may write a secret by accident, for example escaped or as base64.
// - It shares no code with the proxy's own filter (proxy/credentials/redaction.ts), so that a spelling which the filter
//   misses is not missed here too.

const escaped = (value) => JSON.stringify(value).slice(1, -1);
const percent = (value, digits) =>
  [...Buffer.from(value)].map((byte) => `%${digits(byte.toString(16).padStart(2, '0'))}`).join('');
const unicode = (value) =>
  [...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** Base64 of the secret behind 0, 1 and 2 bytes of something else, without the digits that it shares with others. */
function base64(value) {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.from('\0'.repeat(offset) + value);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    return bytes.toString('base64').slice(first, last);
  });
}

/**
 * The distinct spellings of a secret, each 8 characters or more.
 * @param {string} secret
 * @returns {string[]}
 */
export function spellingsOf(secret) {
  const plain = [secret, escaped(secret), escaped(escaped(secret)), secret.replaceAll('/', '\\/')];
  const encoded = [
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    percent(secret, (digits) => digits),
    percent(secret, (digits) => digits.toUpperCase()),
    unicode(secret),
    Buffer.from(secret).toString('hex'),
  ];
  const digits = base64(secret);
  const urlDigits = digits.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...plain, ...encoded, ...digits, ...urlDigits])].filter(({ length }) => length >= 8);
}

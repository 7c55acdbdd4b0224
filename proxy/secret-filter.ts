// The last gate before anything leaves: a configured secret found in a frame of the service or in a log line is
// replaced by `[redacted]`. Policy: it is found plain, JSON-escaped (`\u0061`, `\/`, also twice), percent-encoded (also
// twice), in any mixture of these, and inside base64 at any of its three alignments. Bytes around it stay as they came.

const REDACTED = '[redacted]';

export interface SecretFilter {
  /** The same buffer when nothing was found. */
  bytes(data: Buffer): Buffer;
  text(value: string): string;
}

/** `secrets` are of visible ASCII, 8 characters or more (secret-file.ts). */
export function secretFilter(secrets: readonly string[]): SecretFilter {
  // Longest first: where one secret begins like another, the whole of it goes.
  const patterns = secrets
    .toSorted((a, b) => b.length - a.length)
    .flatMap((secret) => [spellings(secret), ...base64Patterns(secret)]);
  if (patterns.length === 0) return { bytes: (data) => data, text: (value) => value };
  const pattern = new RegExp(patterns.join('|'), 'g');
  const text = (value: string): string => value.replace(pattern, REDACTED);
  return {
    text,
    bytes(data) {
      // latin1 maps each byte to one character and back: UTF-8 around a secret survives, and secrets are ASCII.
      const before = data.toString('latin1');
      const after = text(before);
      return after === before ? data : Buffer.from(after, 'latin1');
    },
  };
}

/** `filter`, and `word` as well, where it stands as it is: for a word that is too long and too short-lived for a pattern. */
export function alsoHiding(filter: SecretFilter, word: string): SecretFilter {
  return {
    text: (value) => filter.text(value.replaceAll(word, REDACTED)),
    bytes(data) {
      if (!data.includes(word, 0, 'latin1')) return filter.bytes(data);
      return filter.bytes(Buffer.from(data.toString('latin1').replaceAll(word, REDACTED), 'latin1'));
    },
  };
}

/** A pattern of every way to write `value` that the policy names. Repetitions are bounded, so it cannot run away. */
function spellings(value: string): string {
  return [...value]
    .map((char) => {
      const hex = char.charCodeAt(0).toString(16).padStart(2, '0');
      const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      const plain = char === '+' ? '[+-]' : char === '/' ? '\\\\{0,3}[/_]' : literal(char);
      const escaped = char === '"' || char === '\\' ? `\\\\{0,3}${plain}` : plain;
      return `(?:${escaped}|\\\\{1,3}u00${anyCase}|%(?:25){0,2}${anyCase})`;
    })
    .join('');
}

const literal = (char: string): string => (/\w/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16)}`);

/**
 * Patterns of `secret` inside base64, one for each of the three places in a group of three bytes where it can begin.
 * What does not depend on its neighbours has to match; a digit that it shares with them goes too. The `+` and `/` of
 * it match the URL alphabet as well (spellings()).
 */
function base64Patterns(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + secret, 'latin1').toString('base64');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + secret.length) * 8) / 6);
    const shared = '[\\w+/-]?';
    const isShared = (offset + secret.length) % 3 !== 0;
    return (
      (offset > 0 ? shared : '') + spellings(encoded.slice(first, last)) + (isShared ? `${shared}={0,2}` : '')
    );
  });
}

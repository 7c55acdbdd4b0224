// The text of a file in whatever encoding it has: pages, lists, sitemaps and style sheets of the last thirty years.
// - A byte order mark wins, then the `charset` of the answer, then what the file says of itself: `<?xml encoding="">`, or a
//   `<meta>` in its first 1,024 bytes (HTML, 13.2.3.2; Encoding, 6).
// - A file that says nothing is UTF-8 when it is valid UTF-8, UTF-16 when it begins with `<` and each other byte is zero, else
//   windows-1252.

const PRESCAN_BYTES = 1_024;

/** 0x80 to 0x9f of windows-1252, which some versions of Node decode as control characters (nodejs/node#56542). */
const WESTERN =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

const asWestern = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (letter) => WESTERN[letter.charCodeAt(0) - 0x80]!);

/** The name that a decoder has for a label, null for a label that no decoder knows. */
function encodingOf(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

const labelIn = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];

/** The encoding that a file states. It is read as ASCII, so a file that states UTF-16 is not UTF-16. */
function statedEncoding(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1');
  const stated =
    encodingOf(labelIn(start, /^\s*<\?xml\s[^>]*encoding=["']([\w.:-]+)/i)) ??
    encodingOf(labelIn(start.replace(/<!--.*?-->/gs, ''), /<meta\s[^>]*charset\s*=\s*["']?\s*([\w.:-]+)/i)) ??
    encodingOf(labelIn(start, /^@charset "([\w.:-]+)";/));
  return stated?.startsWith('utf-16') ? 'utf-8' : stated;
}

function guessedEncoding(bytes: Uint8Array): string {
  const [first, second, third, fourth] = bytes;
  if (first === 0x3c && second === 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second === 0x3c && third === 0) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** @param type the `Content-Type` that came with it */
export function decodeText(bytes: Uint8Array, type = ''): string {
  const fromHeader = encodingOf(labelIn(type, /charset\s*=\s*["']?([\w.:-]+)/i));
  const encoding = markedEncoding(bytes) ?? fromHeader ?? statedEncoding(bytes) ?? guessedEncoding(bytes);
  return encoding === 'windows-1252' ? asWestern(bytes) : new TextDecoder(encoding).decode(bytes);
}

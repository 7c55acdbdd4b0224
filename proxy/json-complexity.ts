// Measures JSON before it is parsed: 64 kB of small lists or deep nesting cost as much CPU as 2 MB of text. Invalid JSON
// is measured too; the parser refuses it.

interface JsonComplexity {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Items of lists and objects, roughly: every comma and every bracket that opens. */
  readonly values: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
/** `[`, `]`, `{` and `}` without the bit in which lists and objects differ. */
const [OPEN, CLOSE, NOT_KIND] = [0x5b, 0x5d, 0xdf];

/** True for JSON (UTF-8) beyond one of `limits`. */
export function isTooComplex(json: Uint8Array, limits: JsonComplexity): boolean {
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) {
      isText = true;
    } else if (byte === COMMA || (byte & NOT_KIND) === OPEN) {
      values += 1;
      if (byte !== COMMA) depth += 1;
      if (depth > limits.depth || values > limits.values) return true;
    } else if ((byte & NOT_KIND) === CLOSE) {
      depth -= 1;
    }
  }
  return false;
}

// Writing boxes of ISO 14496-12. Policy: nearly all fields are words of 32 bits, and are written as numbers; the few that
// are not are handed over as bytes.

/** A number is a word of 32 bits, a string one byte a letter. */
export type Piece = number | string | Uint8Array;

function bytesOf(piece: Piece): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  if (typeof piece === 'string') return Uint8Array.from(piece, (letter) => letter.charCodeAt(0));
  return Uint8Array.of(piece >>> 24, piece >>> 16, piece >>> 8, piece);
}

/** All pieces in one array. */
export function join(...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map(bytesOf);
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function box(type: string, ...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const content = join(...pieces);
  return join(8 + content.length, type, content);
}

// Boxes of ISO 14496-12, as bytes: the few lines that an initialisation segment and a fragment are written with.

type Piece = number | string | Uint8Array;

const bytesOf = (piece: Piece): Uint8Array =>
  typeof piece === 'number'
    ? Uint8Array.of(piece)
    : typeof piece === 'string'
      ? Uint8Array.from(piece, (letter) => letter.charCodeAt(0))
      : piece;

/** One array of all pieces: a number is one byte, a string one byte a letter. */
export function join(...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map(bytesOf);
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const u16 = (value: number): Uint8Array => Uint8Array.of(value >>> 8, value);

export const u32 = (value: number): Uint8Array =>
  Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

export const u64 = (value: number): Uint8Array =>
  join(u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32));

export const zeros = (count: number): Uint8Array => new Uint8Array(count);

export function box(type: string, ...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const content = join(...pieces);
  return join(u32(8 + content.length), type, content);
}

/** A box with a version and 24 bits of flags. */
export const fullBox = (
  type: string,
  version: number,
  flags: number,
  ...pieces: readonly Piece[]
): Uint8Array<ArrayBuffer> => box(type, u32(((version << 24) | flags) >>> 0), ...pieces);

// Reads the boxes of ISO 14496-12 (4.2) of a file that nobody has checked yet.
// - Each box is read through a view of its own content: a read past its end is a RangeError, never a byte of the next box.
// - Nothing is copied, nothing recurses, and nothing is allocated for a box that is not asked for.
// - One reading passes 16,384 headers and opens 2,048 boxes at most (400 fragments), so a file of nothing but headers costs
//   little time and memory.
// - A file is refused for one of two reasons, unsupported or malformed; the caller plays it as it is in both cases.

const MAX_HEADERS = 16_384;
const MAX_OPENED = 2048;

/** Counters of the current reading. A reading is one synchronous call, so there is never more than one. */
let headers = 0;
let opened = 0;

export interface Box {
  /** Where its header starts and its content ends, in bytes from the start of its container. */
  readonly start: number;
  readonly end: number;
  readonly content: DataView;
}

/** Starts a reading of a file. */
export function beginReading(): void {
  headers = opened = 0;
}

/** Bytes of a view from `start` to `end`, both counted from its beginning. */
export const within = (view: DataView, start: number, end = view.byteLength): DataView =>
  new DataView(view.buffer, view.byteOffset + start, end - start);

/**
 * An unsigned number of 64 bits.
 * @throws RemuxError `unsupported` from 2^32 on
 */
export function readUint64(view: DataView, at: number): number {
  assertSupported(view.getUint32(at) === 0, 'above 2^32');
  return view.getUint32(at + 4);
}

/** The four letters of a type. */
export const readType = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** Compares letter by letter: in some engines a number of 32 bits is an allocation. */
function isType(view: DataView, at: number, type: string): boolean {
  for (let i = 0; i < 4; i++) if (view.getUint8(at + i) !== type.charCodeAt(i)) return false;
  return true;
}

/**
 * The first box of that type in a list of boxes. Up to 7 bytes after the last box are ignored: QuickTime ends some lists
 * with a zero.
 * @param at where the list starts; default 0
 * @throws RemuxError
 */
export function nextBox(view: DataView, type: string, at = 0): Box | undefined {
  for (let start = at; start + 8 <= view.byteLength;) {
    assertSupported(++headers <= MAX_HEADERS && opened < MAX_OPENED, 'too many boxes');
    const size32 = view.getUint32(start);
    const header = size32 === 1 ? 16 : 8;
    const size = size32 === 1 ? readUint64(view, start + 8) : size32 || view.byteLength - start;
    const end = start + size;
    assertValid(size >= header && end <= view.byteLength, 'a box too large');
    if (isType(view, start + 4, type)) {
      opened++;
      return { start, end, content: within(view, start + header, end) };
    }
    start = end;
  }
  return undefined;
}

const NEEDED = ['moov', 'moof', 'mdat'];

/** True for a file that ends inside its index or its media. Bytes after the last box do not count. */
export function isCutShort({ buffer, byteOffset, length }: Uint8Array): boolean {
  const view = new DataView(buffer, byteOffset, length);
  for (let [at, size] = [0, 8]; size >= 8 && at + 8 <= length; at += size) {
    size = view.getUint32(at);
    if (size === 1 && at + 16 <= length) size = Number(view.getBigUint64(at + 8));
    if (at + size > length) return NEEDED.includes(readType(view, at + 4));
  }
  return false;
}

/** The first box at the end of a path of types, each inside the one before. */
export function findBox(view: DataView, ...path: readonly string[]): DataView | undefined {
  let found: DataView | undefined = view;
  for (const type of path) found = found && nextBox(found, type)?.content;
  return found;
}

/** As `findBox`. @throws RemuxError when there is none */
export function requireBox(view: DataView, ...path: readonly string[]): DataView {
  const found = findBox(view, ...path);
  assertValid(found !== undefined, `no ${path.join('/')}`);
  return found;
}

export class RemuxError extends Error {
  override readonly name = 'RemuxError';
  /** `unsupported`: valid, but one fragment that starts at 0 cannot hold it. `malformed`: breaks its format, or ends early. */
  readonly kind: 'unsupported' | 'malformed';

  constructor(kind: 'unsupported' | 'malformed', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** @throws RemuxError `malformed`, unless the condition holds */
export function assertValid(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new RemuxError('malformed', problem);
}

/** @throws RemuxError `unsupported`, unless the condition holds */
export function assertSupported(condition: boolean, what: string): asserts condition {
  if (!condition) throw new RemuxError('unsupported', what);
}

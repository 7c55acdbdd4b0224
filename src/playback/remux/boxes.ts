// Reading the boxes of ISO 14496-12 (4.2). Policy: a box is read through a view of its own content, so that whatever a
// file says of itself, a read past the end of a box is a RangeError (which `remux` tells as malformed) and never a byte of
// its neighbour. Nothing is copied, nothing recurses, and nothing is allocated for a box that nobody asked for: who wants
// an inner box names the way to it. One reading of a file looks at 16384 headers at most and opens 2048 boxes, those of
// 400 fragments, so that a file of nothing but headers costs neither time nor memory.
import { expect, support } from './remux-error.ts';

const MAX_HEADERS = 16_384;
const MAX_OPENED = 2048;

/** Of the reading under way: it is one synchronous call, so there is never another beside it. */
let headers = 0;
let opened = 0;

export interface Box {
  /** Where its header begins and its content ends, in bytes from the beginning of what holds it. */
  readonly start: number;
  readonly end: number;
  readonly content: DataView;
}

/** A file is read from here on, or the same one once more. */
export function beginReading(): void {
  headers = opened = 0;
}

/** Bytes of a view from `start` to `end`, both counted from its beginning. */
export const within = (view: DataView, start: number, end = view.byteLength): DataView =>
  new DataView(view.buffer, view.byteOffset + start, end - start);

/** @throws RemuxError above 2^32: no film is that long and no file that large */
export function readUint64(view: DataView, at: number): number {
  support(view.getUint32(at) === 0, 'above 2^32');
  return view.getUint32(at + 4);
}

/** Four letters, one a byte. */
export const readType = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** Letter by letter, because a word of 32 bits is an allocation in some engines. */
function isType(view: DataView, at: number, type: string): boolean {
  for (let i = 0; i < 4; i++) if (view.getUint8(at + i) !== type.charCodeAt(i)) return false;
  return true;
}

/**
 * The first box of that type in a stretch of boxes that follow one another. Up to 7 bytes behind the last one are let be:
 * QuickTime ends some lists with a zero.
 * @param at where the first of them begins; default 0
 * @throws RemuxError
 */
export function nextBox(view: DataView, type: string, at = 0): Box | undefined {
  for (let start = at; start + 8 <= view.byteLength;) {
    support(++headers <= MAX_HEADERS && opened < MAX_OPENED, 'too many boxes');
    const size32 = view.getUint32(start);
    const header = size32 === 1 ? 16 : 8;
    const size = size32 === 1 ? readUint64(view, start + 8) : size32 || view.byteLength - start;
    const end = start + size;
    expect(size >= header && end <= view.byteLength, 'a box too large');
    if (isType(view, start + 4, type)) {
      opened++;
      return { start, end, content: within(view, start + header, end) };
    }
    start = end;
  }
  return undefined;
}

/** The first box of that type at the end of a way of types, each inside the one before. */
export function findBox(view: DataView, ...way: readonly string[]): DataView | undefined {
  let found: DataView | undefined = view;
  for (const type of way) found = found && nextBox(found, type)?.content;
  return found;
}

/** As `findBox`. @throws RemuxError when there is none */
export function needBox(view: DataView, ...way: readonly string[]): DataView {
  const found = findBox(view, ...way);
  expect(found !== undefined, `no ${way.join('/')}`);
  return found;
}

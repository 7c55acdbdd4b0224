// Reading the boxes of ISO 14496-12 (4.2). Policy: a box is read through a view of its own content, so that whatever a
// file says of itself, a read past the end of a box is a RangeError (which `remux` tells as malformed) and never a byte of
// its neighbour. Nothing is copied, and nothing recurses: who wants an inner box names the way to it. A list holds at most
// 4096 boxes, so that a file of nothing but headers cannot keep us busy.
import { expect, support } from './remux-error.ts';

const MAX_BOXES = 4096;

export interface Box {
  /** Four letters, one a byte. */
  readonly type: string;
  /** Where its header begins, in bytes from the beginning of what holds it. */
  readonly offset: number;
  readonly content: DataView;
}

/** Bytes of a view from `start` to `end`, both counted from its beginning. */
export const within = (view: DataView, start: number, end = view.byteLength): DataView =>
  new DataView(view.buffer, view.byteOffset + start, end - start);

/** @throws RemuxError above 2^53: no film is that long and no file that large */
export function readUint64(view: DataView, at: number): number {
  const value = view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4);
  expect(Number.isSafeInteger(value), 'above 2^53');
  return value;
}

export const readType = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/**
 * The boxes in a stretch of bytes, one after another. Up to 7 bytes behind the last one are let be: QuickTime ends some
 * lists with a zero.
 * @param from where the first begins in `view`; default 0
 */
export function* boxesIn(view: DataView, from = 0): Generator<Box, void> {
  for (let at = from, count = 0; at + 8 <= view.byteLength; count++) {
    support(count < MAX_BOXES, 'too many boxes');
    const size32 = view.getUint32(at);
    const header = size32 === 1 ? 16 : 8;
    const size = size32 === 1 ? readUint64(view, at + 8) : size32 || view.byteLength - at;
    expect(size >= header && at + size <= view.byteLength, 'a box too large');
    yield { type: readType(view, at + 4), offset: at, content: within(view, at + header, at + size) };
    at += size;
  }
}

/** The first box of that type at the end of a way of types, each inside the one before. */
export function findBox(view: DataView, ...way: readonly string[]): DataView | undefined {
  let found: DataView | undefined = view;
  for (const type of way) found = found && firstOf(found, type);
  return found;
}

/** As `findBox`. @throws RemuxError when there is none */
export function needBox(view: DataView, ...way: readonly string[]): DataView {
  const found = findBox(view, ...way);
  expect(found !== undefined, `no ${way.join('/')}`);
  return found;
}

function firstOf(view: DataView, type: string): DataView | undefined {
  for (const box of boxesIn(view)) if (box.type === type) return box.content;
  return undefined;
}

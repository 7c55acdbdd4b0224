// A clip as a tree of boxes that a test can change by hand.
// - Chunk offsets (stco, co64) are corrected when the data moves, so that a changed clip is as valid as its original.

export interface Box {
  type: string;
  /** Everything after the header; empty for a box with `inner`. */
  content: Uint8Array;
  inner: Box[] | null;
  /** `wide`: a size of 64 bits. `open`: no size, the box ends with the file (ISO 14496-12 4.2). */
  header?: 'wide' | 'open';
  /** Offset of the content in the clip that was read. */
  readonly from: number;
}

const containers = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf']);

const view = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export const newBox = (type: string, content: Uint8Array): Box => ({ type, content, inner: null, from: -1 });

/** Numbers as words of 32 bits. */
export function wordsOf(...words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  words.forEach((word, i) => view(bytes).setUint32(i * 4, word));
  return bytes;
}

/** @param from offset of `bytes` in the clip */
export function readBoxes(bytes: Uint8Array, from = 0): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = view(bytes).getUint32(at);
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1');
    const content = bytes.slice(at + 8, at + size);
    const inner = containers.has(type) ? readBoxes(content, from + at + 8) : null;
    boxes.push({ type, content: inner ? new Uint8Array() : content, inner, from: from + at + 8 });
    at += size;
  }
  return boxes;
}

function bytesOf({ type, content, inner, header }: Box): Uint8Array {
  const body = inner ? Buffer.concat(inner.map(bytesOf)) : content;
  const size = body.length + (header === 'wide' ? 16 : 8);
  const head = wordsOf(header === 'wide' ? 1 : header === 'open' ? 0 : size, 0);
  head.set(Buffer.from(type, 'latin1'), 4);
  return Buffer.concat([head, header === 'wide' ? wordsOf(0, size) : new Uint8Array(), body]);
}

/** All boxes of a type, at any depth. */
export const allOf = (boxes: readonly Box[], type: string): Box[] =>
  boxes.flatMap((box) => [...(box.type === type ? [box] : []), ...allOf(box.inner ?? [], type)]);

/** The first box of a type, at any depth. */
export function theBox(boxes: readonly Box[], type: string): Box {
  const [found] = allOf(boxes, type);
  if (!found) throw new Error(`the clip has no ${type}`);
  return found;
}

/** The clip with its boxes changed by `change`. */
export function changed(clip: Uint8Array, change: (boxes: Box[]) => void): Uint8Array {
  const boxes = readBoxes(clip);
  change(boxes);
  let end = 0;
  const data = boxes.map((box) => {
    const { length } = bytesOf(box);
    end += length;
    return { from: box.from, length: box.content.length, to: end - box.content.length };
  });
  const moved = (offset: number): number => {
    const home = data.find(({ from, length }) => from >= 0 && offset >= from && offset < from + length);
    return home ? offset - home.from + home.to : offset;
  };
  for (const table of [...allOf(boxes, 'stco'), ...allOf(boxes, 'co64')]) {
    const step = table.type === 'stco' ? 4 : 8;
    const words = view(table.content);
    for (let at = 4 + step; at < table.content.length; at += step) {
      words.setUint32(at, moved(words.getUint32(at)));
    }
  }
  return new Uint8Array(Buffer.concat(boxes.map(bytesOf)));
}

// Rewrites the index of a finished MP4 as other muxers write it. A reader gets the same frames, or begins with a later frame.
// - It cannot change fragments, because their times and offsets are not in the index.
// - The video track is the first one with composition offsets, else the first one.
import type { Encoding } from './media-spec.ts';

type Change = (content: Buffer) => Buffer;

const HEADER = 8;
/** Version and flags, then the number of rows. */
const ROWS = 8;
/** Seconds of the empty edit, frames that are cut off, and frames of delay: an encoder here reorders no more frames than that. */
const EMPTY_SECONDS = 0.4;
const TRIMMED = 5;
const DELAY = 2;

const uint32 = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, at) => bytes.writeInt32BE(number | 0, 4 * at));
  return bytes;
};

const box = (type: string, content: Buffer): Buffer =>
  Buffer.concat([uint32(HEADER + content.length), Buffer.from(type, 'latin1'), content]);

/** The boxes of a content, each with its type and content. */
function* boxesOf(content: Buffer): Generator<readonly [type: string, content: Buffer]> {
  for (let at = 0; at < content.length; at += content.readUInt32BE(at)) {
    const end = at + content.readUInt32BE(at);
    yield [content.toString('latin1', at + 4, at + HEADER), content.subarray(at + HEADER, end)];
  }
}

const find = (content: Buffer, ...path: readonly string[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>(
    (inside, type) => inside && [...boxesOf(inside)].find(([found]) => found === type)?.[1],
    content,
  );

const containers = new Set(['trak', 'mdia', 'minf', 'stbl']);

/** The same content with these boxes changed, at any depth. */
function changed(content: Buffer, changes: Readonly<Record<string, Change>>): Buffer {
  const boxes = [...boxesOf(content)].map(([type, inside]) => {
    const change = changes[type];
    if (change) return box(type === 'stco' && change === toCo64 ? 'co64' : type, change(inside));
    return box(type, containers.has(type) ? changed(inside, changes) : inside);
  });
  return Buffer.concat(boxes);
}

/** Changes a field of 32 bits in each row of a table. */
const eachRow =
  (rowBytes: number, field: number, change: (value: number) => number): Change =>
  (content) => {
    const table = Buffer.from(content);
    for (let at = ROWS + field; at < table.length; at += rowBytes) {
      table.writeInt32BE(change(table.readInt32BE(at)) | 0, at);
    }
    return table;
  };

const toCo64: Change = (content) => {
  const offsets = Array.from({ length: content.readUInt32BE(4) }, (_, row) =>
    content.readUInt32BE(ROWS + 4 * row),
  );
  return Buffer.concat([content.subarray(0, ROWS), uint32(...offsets.flatMap((offset) => [0, offset]))]);
};

/** In a `mdhd` of version 0, timescale and duration are after the two dates. */
const TIMESCALE = 12;

function withTicks(trak: Buffer, ticks: number): Buffer {
  const times = (value: number): number => value * ticks;
  return changed(trak, {
    mdhd: (content) => {
      const header = Buffer.from(content);
      for (const at of [TIMESCALE, TIMESCALE + 4]) header.writeUInt32BE(times(header.readUInt32BE(at)), at);
      return header;
    },
    stts: eachRow(8, 4, times),
    ctts: eachRow(8, 4, times),
  });
}

/**
 * Shifts the composition offsets so that none is negative, and adds the edit list that compensates the delay (ISO 14496-12,
 * 8.6.6).
 */
function withEdit(trak: Buffer, edit: NonNullable<Encoding['edit']>, movieScale: number): Buffer {
  const ticks = find(trak, 'mdia', 'minf', 'stbl', 'stts')!.readUInt32BE(ROWS + 4);
  const header = find(trak, 'mdia', 'mdhd')!;
  const scale = header.readUInt32BE(TIMESCALE);
  const skipped = edit === 'trimmed' ? TRIMMED * ticks : 0;
  const length = ((header.readUInt32BE(TIMESCALE + 4) - skipped) / scale) * movieScale;
  const empty = edit === 'empty' ? [[EMPTY_SECONDS * movieScale, -1, 0x10000]] : [];
  const rows = [...empty, [Math.round(length), DELAY * ticks + skipped, 0x10000]];
  const elst = box('elst', uint32(0, rows.length, ...rows.flat()));
  const delayed = changed(trak, { ctts: eachRow(8, 4, (offset) => offset + DELAY * ticks) });
  return Buffer.concat([delayed, box('edts', elst)]);
}

/** The same file with the requested index. */
export function withIndex(file: Uint8Array, { ticks, edit, offsets, entry }: Encoding): Uint8Array {
  const bytes = Buffer.from(file);
  const moov = find(bytes, 'moov')!;
  const movieScale = find(moov, 'mvhd')!.readUInt32BE(TIMESCALE);
  const boxes = [...boxesOf(moov)];
  const traks = boxes.filter(([type]) => type === 'trak').map(([, trak]) => trak);
  const hasOffsets = (trak: Buffer): boolean => find(trak, 'mdia', 'minf', 'stbl', 'ctts') !== undefined;
  const picture = traks.find(hasOffsets) ?? traks[0]!;
  const rewritten = (shift: number): Buffer =>
    Buffer.concat(
      boxes.map(([type, content]) => {
        if (type !== 'trak') return box(type, content);
        let trak = changed(content, { stco: eachRow(4, 0, (offset) => offset + shift) });
        if (content === picture && ticks) trak = withTicks(trak, ticks);
        if (content === picture && edit) trak = withEdit(trak, edit, movieScale);
        if (content === picture && entry) trak = changed(trak, { stsd: (stsd) => renamed(stsd, entry) });
        return box(type, offsets ? changed(trak, { stco: toCo64 }) : trak);
      }),
    );
  const inFront = bytes.indexOf('moov') < bytes.indexOf('mdat');
  const index = rewritten(inFront ? rewritten(0).length - moov.length : 0);
  return Buffer.concat(
    [...boxesOf(bytes)].map(([type, content]) => box(type, type === 'moov' ? index : content)),
  );
}

/** The sample description with its one entry renamed: `avc1` is at byte 12. */
const renamed = (stsd: Buffer, entry: string): Buffer =>
  Buffer.concat([stsd.subarray(0, 12), Buffer.from(entry, 'latin1'), stsd.subarray(16)]);

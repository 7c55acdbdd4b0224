// Changes by hand to the boxes of a clip.
// - The clip that is changed has three B-frames in a row, sound, and 25 frames, of which 0, 12 and 24 are key
//   frames.
import { allOf, changed, theBox, wordsOf, type Box } from './box-tree.ts';
import type { ClipFile } from './clip-files.ts';

export type Change = (boxes: Box[]) => void;

export const wordAt = ({ content }: Box, at: number): number => Buffer.from(content).readUInt32BE(at);
export const put = ({ content }: Box, at: number, ...words: readonly number[]): void =>
  content.set(wordsOf(...words), at);

/** The tables of the video track, which is the first. */
export const video = (boxes: readonly Box[]): Box => theBox(boxes, 'stbl');

export function replace(boxes: readonly Box[], type: string, by: (old: Box) => Box): void {
  for (const { inner } of allOf(boxes, 'stbl')) {
    const at = inner!.findIndex((box) => box.type === type);
    inner![at] = by(inner![at]!);
  }
}

/** The rows of the video's edit list. */
export const edits =
  (...rows: readonly (readonly [length: number, start: number, speed: number])[]): Change =>
  (boxes) => {
    theBox(boxes, 'elst').content = wordsOf(0, rows.length, ...rows.flat());
  };

export const NORMAL = 0x10000;
/** Where the edit list of that clip begins: after two frames of 512 ticks, which is the delay of its B-frames. */
export const FIRST = 1024;

export const clipsOf = (clip: Uint8Array, changes: Readonly<Record<string, Change>>): ClipFile[] =>
  Object.entries(changes).map(([name, change]) => ({ name, bytes: changed(clip, change) }));

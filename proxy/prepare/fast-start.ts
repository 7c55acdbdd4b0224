// A video that plays before it is loaded whole: its index is in front (ISO 14496-12, 8.2).
// - A file whose index is behind is remuxed into one fragment, without its sound; any other stays as it is.
import { remux } from '../../src/playback/mp4/remux.ts';

/** Where the first box of this type begins, of those at the top of a file; Infinity when there is none. */
function placeOf(file: Uint8Array, type: string): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + 8 <= file.length;) {
    if (String.fromCharCode(...file.subarray(at + 4, at + 8)) === type) return at;
    const short = view.getUint32(at);
    const size = short === 1 && at + 16 <= file.length ? Number(view.getBigUint64(at + 8)) : short;
    if (size < 8) break;
    at += size;
  }
  return Infinity;
}

/** @throws RemuxError for a file that does not play */
export function fastStart(file: Uint8Array): Uint8Array {
  const { init, media } = remux(file);
  return placeOf(file, 'moov') < placeOf(file, 'mdat') ? file : Buffer.concat([init, media]);
}

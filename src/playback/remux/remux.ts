// An MP4 as whoever made it wrote it, into what Media Source Extensions take: an initialisation segment and one movie
// fragment (ISO 14496-12, 8.8; the ISO BMFF byte stream format of MSE). Policy: the first video track only, its samples
// copied and never looked into; shown from 0 on, whatever the file's edit list and reordered frames make of the
// beginning. Every file is hostile until read: all of its index is checked before anything is allocated, and what is
// allocated is in proportion to the file. What is not surely understood is refused, quietly and with its reason:
// whoever asked plays the file as it is.
import { beginReading } from './boxes.ts';
import { cutOf } from './cut.ts';
import { openFilm } from './film.ts';
import { initSegment } from './init-segment.ts';
import { mediaSegment } from './media-segment.ts';
import { RemuxError } from './remux-error.ts';

export interface Remuxed {
  /** With its codec, as `addSourceBuffer` and `isTypeSupported` take it: `video/mp4; codecs="avc1.42c01f"`. */
  readonly mimeType: string;
  /** `ftyp` and `moov`; equal for two clips that one encoder made with the same settings. */
  readonly init: Uint8Array<ArrayBuffer>;
  /** `moof` and `mdat`; first shown at 0, first decoded at 0. */
  readonly media: Uint8Array<ArrayBuffer>;
  /** From 0 to the end of the last frame. */
  readonly durationSeconds: number;
  /** Pixels as coded, before any turning or stretching. */
  readonly width: number;
  /** Pixels as coded, before any turning or stretching. */
  readonly height: number;
}

/**
 * Remuxes an MP4 or QuickTime file: index in front or behind, fragmented or not, H.264, H.265, VP9 or AV1.
 * @param file the whole of it; neither kept nor changed
 * @throws RemuxError `unsupported` for a sound file that cannot be told this way (no video, encrypted, another coding, several
 *   edits, frames that are decoded and not shown, gaps between fragments); `malformed` for one that is cut off or broken
 */
export function remux(file: Uint8Array): Remuxed {
  try {
    beginReading();
    const film = openFilm(file);
    const cut = cutOf(film);
    // All of it was read and found right, so it may be read once more.
    beginReading();
    return {
      mimeType: `video/mp4; codecs="${film.codec}"`,
      init: initSegment(film),
      media: mediaSegment(file, film, cut),
      durationSeconds: (cut.end - cut.start) / film.timescale,
      width: film.width,
      height: film.height,
    };
  } catch (error) {
    // Boxes are read through views of their own, so this is a read past the end of one.
    if (error instanceof RangeError) throw new RemuxError('malformed', 'a box ends early', { cause: error });
    throw error;
  }
}

// Remuxes an MP4 file for Media Source Extensions: an initialisation segment and one movie fragment (ISO 14496-12, 8.8).
// - Only the first video track; its samples are copied and never decoded. The first frame is shown at 0.
// - Every file is hostile until it was read: the whole index is checked before anything is allocated, and what is allocated
//   is in proportion to the file.
// - A file that is not fully understood is refused with its reason; the caller then plays the file as it is.
import { beginReading, RemuxError } from './boxes.ts';
import { sampleRangeOf, openTrack } from './mp4-track.ts';
import { initSegment, mediaSegment } from './segments.ts';

export interface Remuxed {
  /** For `addSourceBuffer` and `isTypeSupported`: `video/mp4; codecs="avc1.42c01f"`. */
  readonly mimeType: string;
  /** `ftyp` and `moov`; equal for clips that one encoder made with the same settings. */
  readonly init: Uint8Array<ArrayBuffer>;
  /** `moof` and `mdat`; the first decode time and the first presentation time are 0. */
  readonly media: Uint8Array<ArrayBuffer>;
  /** From 0 to the end of the last frame. */
  readonly durationSeconds: number;
  /** Coded pixels, before rotation or scaling. */
  readonly width: number;
  /** Coded pixels, before rotation or scaling. */
  readonly height: number;
}

/**
 * Remuxes an MP4 or QuickTime file: index in front or behind, fragmented or not, H.264, H.265, VP9 or AV1.
 * @param file the whole file; neither kept nor changed
 * @throws RemuxError `unsupported` for a valid file that one fragment cannot hold (no video, encrypted, another codec, several
 *   edits, frames that are decoded and not shown, gaps between fragments); `malformed` for a file that is cut off or broken
 */
export function remux(file: Uint8Array): Remuxed {
  try {
    beginReading();
    const track = openTrack(file);
    const range = sampleRangeOf(track);
    // The whole file was checked. The second reading counts its boxes from 0.
    beginReading();
    return {
      mimeType: `video/mp4; codecs="${track.codec}"`,
      init: initSegment(track),
      media: mediaSegment(file, track, range),
      durationSeconds: (range.end - range.start) / track.timescale,
      width: track.width,
      height: track.height,
    };
  } catch (error) {
    // Each box is read through a view of its own, so this is a read past the end of a box.
    if (error instanceof RangeError) throw new RemuxError('malformed', 'a box ends early', { cause: error });
    throw error;
  }
}

// What the video of an announcement is (document 1 shows only that a transparent one is `.webm`). Policy: the BSL signer
// RAE at 720p; MP4 with H.264, or WebM with VP9 and alpha, without the panel of words, when the background is transparent.
import type { MediaSpec } from '../media/media-spec.ts';
import type { Announcement } from './announcement-request.ts';
import { spokenOf } from './spoken.ts';

export function videoOf(said: Announcement): MediaSpec {
  const backdrop = said.bgColour ?? null;
  const isTransparent = backdrop === 'transparent';
  return {
    text: spokenOf(said),
    seconds: null,
    style: {
      signer: 'RAE',
      width: 1280,
      height: 720,
      backdrop,
      signerSize: 'large',
      wordPanel: !isTransparent,
      subtitles: false,
      fit: 'fill',
      logo: null,
    },
    codec: isTransparent ? 'vp9' : 'h264',
    container: isTransparent ? 'webm' : 'mp4',
    bitsPerSecond: null,
    segmentSeconds: null,
  };
}

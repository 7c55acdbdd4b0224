// How the sandbox of the browser tests paints (backend.mjs): short clips in a quarter of the pixels, because a browser
// test spends most of its time on playing, decoding and drawing its clips.
import { frameSizes, type Resolution } from '../../demo/sandbox/media/media-spec.ts';
import { paintedSize, withRenderDefaults } from '../../demo/sandbox/painter/render-options.ts';
import { scriptOf } from '../../demo/sandbox/painter/script.ts';
import painting from './painting.mjs';

/** Pixels from left to right of a clip of this resolution. */
export const widthOf = (resolution: Resolution): number =>
  paintedSize(frameSizes[resolution], withRenderDefaults(painting)).width;

/** How many frames the sandbox makes of a text. */
export const framesIn = (text: string): number => scriptOf(text, null, painting.framesPerWord).gloss.frames;

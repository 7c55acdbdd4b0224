// What an element shows: the surface that a page sees and steers, and its place in the box.
import type { ClipTimeline } from '../playback/clips/clip-timeline.ts';
import type { MediaSurface } from '../playback/media-surface.ts';

/** A surface with its place on the page. */
export type Picture = MediaSurface & Pick<ClipTimeline, 'stage' | 'blocked' | 'resume' | 'reset'>;

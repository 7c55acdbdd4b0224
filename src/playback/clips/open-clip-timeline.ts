// Where whoever has clips gets the timeline that plays them.
import type { ClipTimeline } from './clip-timeline.ts';
import { RowTimeline } from './row-timeline.ts';

/**
 * A timeline without clips. Clips join on one `<video>`; where that cannot be, it goes over to two stacked ones by
 * itself, without losing a frame. Nothing is loaded and no `<video>` is made before a text is expected.
 */
export const openClipTimeline = (): ClipTimeline => new RowTimeline();

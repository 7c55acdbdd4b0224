// How tests have everything painted: with the stamp, at the usual pace.
import { withRenderDefaults } from '../../demo/sandbox/painter/render-options.ts';

export const stamped = withRenderDefaults({ stamp: true });

/** The same in a quarter of the pixels, where the size shows nothing: less to paint, encode and decode. */
export const smallStamped = withRenderDefaults({ stamp: true, scale: 0.5 });

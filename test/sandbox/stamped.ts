// The style in which tests paint: with the stamp, at the usual pace.
import { withRenderDefaults } from '../../demo/sandbox/painter/render-options.ts';

export const stamped = withRenderDefaults({ stamp: true });

/**
 * The same with a quarter of the pixels, for tests that do not depend on the size, because painting, encoding and decoding cost
 * less.
 */
export const smallStamped = withRenderDefaults({ stamp: true, scale: 0.5 });

// How tests have everything painted: with the stamp, at the usual pace.
import { withRenderDefaults } from '../../demo/sandbox/painter/render-options.ts';

export const stamped = withRenderDefaults({ stamp: true });

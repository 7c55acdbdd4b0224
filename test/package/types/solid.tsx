/** @jsxImportSource solid-js */
// The tags in JSX, as the compiler of a page's project sees them. A mistake in this file does not compile.
import type {} from '../../../src/types/solid.d.ts';

export const right = (
  <sign-translate
    signer="JAY"
    controls
    idle-after="2"
    class="beside"
    prop:generateOptions={{ tone: 'calm' }}
    on:sign-start={({ detail }) => detail.text.trim()}
  >
    <sign-live-player target-latency="2" slot="idle" />
  </sign-translate>
);
// @ts-expect-error a mode is one of two words
export const wrongMode = <sign-translate mode="sing" />;
// @ts-expect-error `paused` is read-only
export const wrongPaused = <sign-translate paused />;
// @ts-expect-error a latency is a number
export const wrongLatency = <sign-live-player target-latency="soon" />;
// @ts-expect-error a start has no address
export const wrongDetail = <sign-translate on:sign-start={({ detail }) => detail.url} />;

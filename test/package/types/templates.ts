// The tags in templates of Svelte and Vue, as their compilers see them. A mistake in this file does not compile.
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';
import type {} from '../../../src/types/svelte.d.ts';
import type {} from '../../../src/vue.d.ts';

type Vue<Tag extends keyof GlobalComponents> = GlobalComponents[Tag] extends new () => { $props: infer Props }
  ? Props
  : never;

export const inSvelte: SvelteHTMLElements['sign-live-player'] = {
  'target-latency': '2',
  slot: 'idle',
  'onsign-error': ({ detail }) => detail.error.code.trim(),
};
export const inVue: Vue<'sign-live-player'> = {
  targetLatency: '2',
  slot: 'idle',
  onSignError: ({ detail }) => detail.error.code.trim(),
};
export const optionsInVue: Vue<'sign-translate'> = {
  key: 1,
  ref: 'signer',
  generateOptions: { tone: 'calm' },
  idleAfter: 'none',
};
// @ts-expect-error a view is one of two words
export const wrongInSvelte: SvelteHTMLElements['sign-live-player'] = { view: 'both' };
// @ts-expect-error a latency is a number
export const wrongInVue: Vue<'sign-live-player'> = { targetLatency: 'soon' };
// @ts-expect-error `paused` is read-only
export const readOnlyInSvelte: SvelteHTMLElements['sign-translate'] = { paused: true };
// @ts-expect-error `paused` is read-only
export const readOnlyInVue: Vue<'sign-translate'> = { paused: true };

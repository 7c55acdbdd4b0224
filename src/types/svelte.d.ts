// `import type {} from 'sign-elements/types/svelte'`: the tags in templates of Svelte 5, which listens to `onsign-start`.
import type { HTMLAttributes } from 'svelte/elements';
import type { TagEvents, TagProps, Tags } from './tag-props.ts';

type Props<Element extends HTMLElement> = TagProps<Element> &
  TagEvents<'on'> &
  Omit<HTMLAttributes<Element>, keyof TagProps<Element>>;

declare module 'svelte/elements' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- an augmentation can only be an interface
  interface SvelteHTMLElements extends SignTags {}
}

type SignTags = { [Tag in keyof Tags]: Props<Tags[Tag]> };

// `import type {} from 'sign-elements/types/solid'`: the tags in JSX of Solid, which listens to `on:sign-start` and sets
// properties by `prop:generateOptions`.
import type { JSX } from 'solid-js';
import type { TagEvents, TagProps, Tags } from './tag-props.ts';

type Props<Element extends HTMLElement> = TagProps<Element> &
  TagEvents<'on:'> & {
    [Name in keyof TagProps<Element> as `prop:${Name & string}`]?: TagProps<Element>[Name];
  } & Omit<JSX.HTMLAttributes<Element>, keyof TagProps<Element>>;

declare module 'solid-js' {
  namespace JSX {
    // oxlint-disable-next-line typescript/no-empty-object-type -- an augmentation can only be an interface
    interface IntrinsicElements extends SignTags {}
  }
}

type SignTags = { [Tag in keyof Tags]: Props<Tags[Tag]> };

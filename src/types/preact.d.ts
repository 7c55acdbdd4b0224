// `import type {} from 'sign-elements/types/preact'`: the tags in JSX of Preact, which listens to `onsign-start`.
import type { HTMLAttributes } from 'preact';
import type { TagEvents, TagProps, Tags } from './tag-props.ts';

type Props<Element extends HTMLElement> = TagProps<Element> &
  TagEvents<'on'> &
  Omit<HTMLAttributes<Element>, keyof TagProps<Element>>;

declare module 'preact' {
  namespace JSX {
    // oxlint-disable-next-line typescript/no-empty-object-type -- an augmentation can only be an interface
    interface IntrinsicElements extends SignTags {}
  }
}

type SignTags = { [Tag in keyof Tags]: Props<Tags[Tag]> };

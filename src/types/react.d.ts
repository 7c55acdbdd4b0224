// `import type {} from 'sign-elements/types/react'`: the tags in JSX of React 19, which sets properties and listens to
// `onsign-start`.
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { TagEvents, TagProps, Tags } from './tag-props.ts';

type Props<Element> = TagProps<Element> &
  TagEvents<'on'> & { class?: string } & Omit<
    DetailedHTMLProps<HTMLAttributes<Element>, Element>,
    keyof TagProps<Element>
  >;

declare module 'react' {
  namespace JSX {
    // oxlint-disable-next-line typescript/no-empty-object-type -- an augmentation can only be an interface
    interface IntrinsicElements extends SignTags {}
  }
}

type SignTags = { [Tag in keyof Tags]: Props<Tags[Tag]> };

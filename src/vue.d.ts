// `import type {} from 'sign-elements/vue'`: the tags in templates of Vue. Vue takes them for components unless a
// page sets `compilerOptions.isCustomElement: (tag) => tag.startsWith('sign-')`.
import type { HTMLAttributes, ReservedProps } from 'vue';
import type { EventProp, SignEventMap } from './elements/sign-events.ts';
import type { TagProps, Tags } from './types/tag-props.ts';

/** `@sign-start` in a template is the prop `onSignStart`. */
type Events = {
  [Name in keyof SignEventMap as EventProp<Name>]?: ((event: SignEventMap[Name]) => void) | undefined;
};

type Component<Element> = new () => {
  $props: HTMLAttributes & ReservedProps & { slot?: string } & TagProps<Element> & Events;
};

declare module 'vue' {
  interface GlobalComponents {
    'sign-announcement': Component<Tags['sign-announcement']>;
    'sign-live-player': Component<Tags['sign-live-player']>;
    'sign-silence-loop': Component<Tags['sign-silence-loop']>;
    'sign-translate': Component<Tags['sign-translate']>;
  }
}

export {};

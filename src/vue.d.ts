// `sign-elements/vue`: types of the elements in Vue templates. Vue needs to be told that they are elements and not
// components: `compilerOptions.isCustomElement: (tag) => tag.startsWith('sign-')`.
import type { SignEventMap } from './elements/sign-events.ts';
import type { SignTranslate } from './elements/sign-translate.ts';
import type { EventProp } from './internal/event-prop.ts';

/** `@sign-start` in a template is the prop `onSignStart`. */
type Events = { [Name in keyof SignEventMap as EventProp<Name>]?: (event: SignEventMap[Name]) => void };

type Component<Element extends HTMLElement> = new () => {
  $props: Partial<Omit<Element, keyof HTMLElement>> & Events;
};

declare module 'vue' {
  interface GlobalComponents {
    'sign-translate': Component<SignTranslate>;
  }
}

export {};

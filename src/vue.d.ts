// `sign-elements/vue`: types of the elements in Vue templates. Vue needs to be told that they are elements and not
// components: `compilerOptions.isCustomElement: (tag) => tag.startsWith('sign-')`.
import type { HTMLAttributes } from 'vue';
import type { SignAnnouncement } from './elements/sign-announcement.ts';
import type { EventProp, SignEventMap } from './elements/sign-events.ts';
import type { SignLivePlayer } from './elements/sign-live-player.ts';
import type { SignSilenceLoop } from './elements/sign-silence-loop.ts';
import type { SignTranslate } from './elements/sign-translate.ts';

/** `@sign-start` in a template is the prop `onSignStart`. */
type Events = { [Name in keyof SignEventMap as EventProp<Name>]?: (event: SignEventMap[Name]) => void };

type Component<Element extends HTMLElement> = new () => {
  $props: HTMLAttributes & { slot?: string } & Partial<Omit<Element, keyof HTMLElement>> & Events;
};

declare module 'vue' {
  interface GlobalComponents {
    'sign-announcement': Component<SignAnnouncement>;
    'sign-live-player': Component<SignLivePlayer>;
    'sign-silence-loop': Component<SignSilenceLoop>;
    'sign-translate': Component<SignTranslate>;
  }
}

export {};

// `sign-elements/react`: the elements as React components. React 19 takes them without any of this; the wrappers add
// types, event props (`onSignStart`) and, for React 18, properties. Importing this defines the elements.
import * as React from 'react';
import { createComponent } from '@lit/react';
import './define.ts';
import { SignAnnouncement as SignAnnouncementElement } from './elements/sign-announcement.ts';
import type { EventProp, SignEventMap } from './elements/sign-events.ts';
import { SignLivePlayer as SignLivePlayerElement } from './elements/sign-live-player.ts';
import { SignSilenceLoop as SignSilenceLoopElement } from './elements/sign-silence-loop.ts';
import { SignTranslate as SignTranslateElement } from './elements/sign-translate.ts';

/** The events of the elements by their props. */
const events: { readonly [Name in keyof SignEventMap as EventProp<Name>]: Name } = {
  onSignStatechange: 'sign-statechange',
  onSignReady: 'sign-ready',
  onSignAccepted: 'sign-accepted',
  onSignProgress: 'sign-progress',
  onSignResult: 'sign-result',
  onSignStart: 'sign-start',
  onSignEnd: 'sign-end',
  onSignSentence: 'sign-sentence',
  onSignQueuechange: 'sign-queuechange',
  onSignError: 'sign-error',
  onSignSummary: 'sign-summary',
};

/** Props of an element: its own properties, the events above, and what React knows of any element. */
type Props<Element extends HTMLElement> = Omit<
  React.HTMLAttributes<Element>,
  Exclude<keyof Element, keyof HTMLElement>
> &
  Partial<Omit<Element, keyof HTMLElement>> & {
    [Name in keyof SignEventMap as EventProp<Name>]?: ((event: SignEventMap[Name]) => void) | undefined;
  } & React.RefAttributes<Element>;

type Component<Element extends HTMLElement> = React.ForwardRefExoticComponent<Props<Element>>;

/**
 * An element as a component; `ref` gives the element itself. The type is our own, because with the type of @lit/react users
 * would need that package. The cast goes through `unknown`, because the compiler needs four seconds to compare the two.
 */
const componentOf = <Element extends HTMLElement>(
  tagName: string,
  elementClass: new () => Element,
): Component<Element> =>
  createComponent({ react: React, tagName, elementClass, events }) as unknown as Component<Element>;

export const SignAnnouncement = componentOf('sign-announcement', SignAnnouncementElement);
export const SignLivePlayer = componentOf('sign-live-player', SignLivePlayerElement);
export const SignSilenceLoop = componentOf('sign-silence-loop', SignSilenceLoopElement);
export const SignTranslate = componentOf('sign-translate', SignTranslateElement);

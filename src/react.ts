// `sign-elements/react`: the elements as React components. React 19 takes them without any of this; the wrappers add
// types, event props (`onSignStart`) and, for React 18, properties. Importing this defines the elements.
import * as React from 'react';
import { createComponent } from '@lit/react';
import './define.ts';
import type { SignEventMap } from './elements/sign-events.ts';
import { SignTranslate as SignTranslateElement } from './elements/sign-translate.ts';
import type { EventProp } from './internal/event-prop.ts';

/** Each event of the elements by the prop that listens to it. */
const events: { readonly [Name in keyof SignEventMap as EventProp<Name>]: Name } = {
  onSignStatechange: 'sign-statechange',
  onSignReady: 'sign-ready',
  onSignAccepted: 'sign-accepted',
  onSignProgress: 'sign-progress',
  onSignResult: 'sign-result',
  onSignStart: 'sign-start',
  onSignEnd: 'sign-end',
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
 * `<sign-translate>` as a component; `ref` gives the element itself. The type is written out, for @lit/react's own would
 * make that package one that users need; by way of `unknown`, for comparing the two takes the compiler four seconds.
 */
export const SignTranslate = createComponent({
  react: React,
  tagName: 'sign-translate',
  elementClass: SignTranslateElement,
  events,
}) as unknown as Component<SignTranslateElement>;

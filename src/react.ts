// `sign-elements/react`: the elements as React components, for React 18 and later. Importing this defines the elements.
// - A prop with an attribute is rendered as that attribute, so that the HTML of a server has it. Other properties are set after
//   rendering.
// - `onSignStart` and its like listen to our events; `onPlay`, `onEnded` and their like to media events, to which React itself
//   listens on a `<video>` only.
import * as React from 'react';
import './define.ts';
import { SignAnnouncement as SignAnnouncementElement } from './elements/sign-announcement.ts';
import type { EventProp, SignEventMap } from './elements/sign-events.ts';
import { SignLivePlayer as SignLivePlayerElement } from './elements/sign-live-player.ts';
import { SignSilenceLoop as SignSilenceLoopElement } from './elements/sign-silence-loop.ts';
import { SignTranslate as SignTranslateElement } from './elements/sign-translate.ts';
import { mediaEvents } from './playback/player.ts';
import type { SettableName } from './types/tag-props.ts';

/** The media events that React has a prop for. */
type MediaEventProp = Extract<
  keyof React.DOMAttributes<Element>,
  `on${
    | 'Play'
    | 'Playing'
    | 'Pause'
    | 'Ended'
    | 'TimeUpdate'
    | 'DurationChange'
    | 'LoadedMetadata'
    | 'LoadedData'
    | 'CanPlay'
    | 'CanPlayThrough'
    | 'Progress'
    | 'Waiting'
    | 'Stalled'
    | 'Seeking'
    | 'Seeked'
    | 'RateChange'
    | 'VolumeChange'
    | 'Emptied'
    | 'Error'}`
>;

type Handlers = {
  [Name in keyof SignEventMap as EventProp<Name>]?: ((event: SignEventMap[Name]) => void) | undefined;
} & { [Name in MediaEventProp]?: ((event: Event) => void) | undefined };

/** Props of an element: its own properties that may be set, its events, and what React knows of any element. */
type Props<Element extends HTMLElement> = Omit<
  React.HTMLAttributes<Element>,
  Exclude<keyof Element, keyof HTMLElement> | keyof Handlers
> & { [Name in SettableName<Element>]?: Element[Name] | undefined } & Handlers &
  React.RefAttributes<Element>;

type Component<Element extends HTMLElement> = React.ForwardRefExoticComponent<Props<Element>>;

interface ElementClass<Element> {
  new (): Element;
  readonly prototype: Element;
  /** Must be read first, because Lit collects the properties at that moment. */
  readonly observedAttributes: readonly string[];
  readonly elementProperties: ReadonlyMap<PropertyKey, { readonly attribute?: boolean | string }>;
}

const ownEvents: Readonly<Record<keyof SignEventMap, true>> = {
  'sign-statechange': true,
  'sign-ready': true,
  'sign-accepted': true,
  'sign-progress': true,
  'sign-result': true,
  'sign-start': true,
  'sign-sentence': true,
  'sign-queuechange': true,
  'sign-report': true,
  'sign-end': true,
  'sign-error': true,
  'sign-summary': true,
  'sign-stats': true,
  'sign-open': true,
  'sign-close': true,
};

/** Events by their props in small letters: React's `onTimeUpdate` is `timeupdate`, our `onSignStart` is `sign-start`. */
const events = new Map<string, string>(
  [...mediaEvents, ...Object.keys(ownEvents)].map((name) => [`on${name.replaceAll('-', '')}`, name]),
);
const takesProperties = parseInt(React.version, 10) >= 19;
const useLayoutEffect = typeof document === 'undefined' ? React.useEffect : React.useLayoutEffect;

interface Split {
  /** What React renders. */
  readonly attributes: Record<string, unknown>;
  readonly properties: Record<string, unknown>;
  /** By the name of their event. */
  readonly handlers: Map<string, (event: Event) => void>;
}

function split(element: ElementClass<object>, props: Readonly<Record<string, unknown>>): Split {
  const result: Split = { attributes: {}, properties: {}, handlers: new Map() };
  const isOwn = (name: string): boolean =>
    name in element.prototype && !(typeof HTMLElement === 'function' && name in HTMLElement.prototype);
  for (const [name, value] of Object.entries(props)) {
    const event = events.get(name.toLowerCase());
    if (event !== undefined && typeof value === 'function') {
      result.handlers.set(event, value as (event: Event) => void);
      continue;
    }
    const { attribute = name.toLowerCase() } = element.elementProperties.get(name) ?? { attribute: false };
    const isText = ['string', 'number', 'boolean'].includes(typeof value);
    if (typeof attribute === 'string' && isText) {
      // React 18 would write the word `true`, which `controls` reads as a choice, or `false`, which sets the attribute too.
      const written = value === true ? '' : value === false ? undefined : value;
      result.attributes[attribute] = takesProperties ? value : written;
      // A panel without the attribute may be open.
      if (name === 'open' && !takesProperties) result.properties[name] = value;
    } else if (isOwn(name)) {
      result.properties[name] = value;
    } else {
      result.attributes[name === 'className' ? 'class' : name] = value;
    }
  }
  return result;
}

/** An element as a component; `ref` gives the element itself. */
function componentOf<Element extends HTMLElement>(
  tagName: string,
  elementClass: ElementClass<Element>,
): Component<Element> {
  void elementClass.observedAttributes;
  const Rendered = React.forwardRef<Element, Record<string, unknown>>((props, ref) => {
    const own = React.useRef<Element>(null);
    const { attributes, properties, handlers } = split(elementClass, props);
    const newest = React.useRef(handlers);
    const set = React.useRef<Record<string, unknown>>({});
    React.useImperativeHandle(ref, () => own.current!, []);
    useLayoutEffect(() => {
      newest.current = handlers;
      const before = set.current;
      set.current = properties;
      for (const name of Object.keys({ ...before, ...properties })) {
        if (before[name] !== properties[name]) Object.assign(own.current!, { [name]: properties[name] });
      }
    });
    useLayoutEffect(() => {
      const listening = new AbortController();
      for (const name of events.values()) {
        const listener = (event: Event): void => newest.current.get(name)?.(event);
        own.current!.addEventListener(name, listener, { signal: listening.signal });
      }
      return () => listening.abort();
    }, []);
    return React.createElement(tagName, { ...attributes, ref: own });
  });
  Rendered.displayName = elementClass.name;
  return Rendered as unknown as Component<Element>;
}

export const SignAnnouncement = componentOf('sign-announcement', SignAnnouncementElement);
export const SignLivePlayer = componentOf('sign-live-player', SignLivePlayerElement);
export const SignSilenceLoop = componentOf('sign-silence-loop', SignSilenceLoopElement);
export const SignTranslate = componentOf('sign-translate', SignTranslateElement);

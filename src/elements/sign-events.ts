// The events of the elements: names and details as the contract lists them. All bubble and cross shadow roots.
import type { SignStats } from '../playback/counts.ts';
import type { SessionEventMap, SignResult } from '../session/session-types.ts';

export type { SignStats };

/** What an element does, for pages and for CSS (`:state(signing)`). */
export type SignState =
  | 'idle'
  | 'connecting'
  | 'ready'
  | 'signing'
  | 'reconnecting'
  | 'finalizing'
  | 'ended'
  | 'failed';

export type QueueState = 'waiting' | 'preparing' | 'ready' | 'signing' | 'signed' | 'failed';

/** A sentence of the page that waits to be signed, is being signed, or was signed. */
export interface QueueEntry {
  /** As in the events of this sentence. */
  readonly ref: string;
  readonly text: string;
  readonly state: QueueState;
  /** The block of the page that it is in. */
  readonly element: Element;
}

/** `detail` by event name. */
export interface SignEventDetails extends Omit<
  SessionEventMap,
  'sign-statechange' | 'sign-result' | 'sign-appended' | 'sign-dropped'
> {
  'sign-statechange': { state: SignState };
  /** Once for each part of a text that was too long for one message: the text of the part, the ref of the whole. */
  'sign-result': Omit<SignResult, 'partIndex' | 'partCount'>;
  /** Its first frame is on screen; `estimated` in an ongoing stream, where the service does not report it. */
  'sign-start': { ref: string; text: string; estimated?: true };
  /** A sentence of the page is being signed; where it is written. */
  'sign-sentence': { ref: string; text: string; range: Range };
  /** Something in the queue of the page's sentences has changed. */
  'sign-queuechange': { queue: readonly QueueEntry[] };
  /** A visitor says that it is signed wrong. */
  'sign-report': { ref: string; text: string; sessionId: string | null; reason: string };
  /** Its last frame has been shown. */
  'sign-end': { ref: string; text: string; estimated?: true };
  /** Its `stats`, after a first and a last frame; of a live stream once a second. */
  'sign-stats': SignStats;
  /** The panel was opened, by a visitor or by the page. */
  'sign-open': Record<string, never>;
  'sign-close': Record<string, never>;
}

export type SignEventMap = { [Name in keyof SignEventDetails]: CustomEvent<SignEventDetails[Name]> };

type Pascal<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Capitalize<Head>}${Pascal<Tail>}`
  : Capitalize<Name>;

/** The prop that listens to an event, in React and in Vue: `sign-start` is `onSignStart`. */
export type EventProp<Name extends string> = `on${Pascal<Name>}`;

/** Dispatches one of these events on `host`. */
export function emit<Name extends keyof SignEventDetails>(
  host: EventTarget,
  name: Name,
  detail: SignEventDetails[Name],
): void {
  host.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** Stops the events of a signer in a slot, so that they do not look like those of the element around it. */
export const keepInside = (event: Event): void => event.stopPropagation();

declare global {
  /** The events bubble, so any element of a page can listen to them, its document and its window too. */
  // oxlint-disable-next-line typescript/no-empty-object-type -- an augmentation can only be an interface
  interface HTMLElementEventMap extends SignEventMap {}
  // oxlint-disable-next-line typescript/no-empty-object-type -- the same
  interface DocumentEventMap extends SignEventMap {}
  // oxlint-disable-next-line typescript/no-empty-object-type -- the same
  interface WindowEventMap extends SignEventMap {}
}

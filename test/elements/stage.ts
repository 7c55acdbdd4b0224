// What the browser tests of elements share: an element on the page, what it said, and what was really painted.
import { clipId } from '../../demo/sandbox/stamp.ts';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import type { SignEventDetails } from '../../src/elements/sign-events.ts';
import '../../src/define/sign-translate.ts';
import { openSockets, proxyAddress } from '../backend/client.ts';
import { stampOf } from '../page/read-stamp.ts';
import { until } from '../until.ts';

export { until };

export interface Said {
  name: keyof SignEventDetails;
  detail: SignEventDetails[keyof SignEventDetails] & Record<string, unknown>;
}

const names: (keyof SignEventDetails)[] = [
  'sign-statechange',
  'sign-ready',
  'sign-accepted',
  'sign-progress',
  'sign-result',
  'sign-start',
  'sign-end',
  'sign-error',
  'sign-summary',
];

/**
 * An element that talks to the real proxy, and everything it says from now on. Without an idle signer, whose media would
 * meet faults that are meant for a text's.
 */
export async function mount(
  attributes: Record<string, string> = {},
): Promise<{ element: SignTranslate; said: Said[] }> {
  const element = document.createElement('sign-translate');
  element.setAttribute('proxy', await proxyAddress());
  element.setAttribute('resolution', '480p');
  element.setAttribute('idle-after', 'none');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  const said = record(element);
  document.body.append(element);
  await element.updateComplete;
  return { element, said };
}

/** Takes every element off the page and lets it end. */
export async function unmountAll(): Promise<void> {
  for (const element of document.querySelectorAll('sign-translate')) element.remove();
  await frames(3);
}

/** Waits until the service has no session any more of an element that a test before has left. */
export const untilNobodyIsConnected = (): Promise<number> => until(openSockets, (count) => count === 0);

export function record(element: SignTranslate): Said[] {
  const said: Said[] = [];
  for (const name of names) {
    element.addEventListener(name, (event) => {
      said.push({ name, detail: (event as CustomEvent<Said['detail']>).detail });
    });
  }
  return said;
}

/** Names of what was said, in order; `sign-start hello` with the text where there is one. */
export const inOrder = (said: Said[], ...wanted: (keyof SignEventDetails)[]): string[] =>
  said
    .filter(({ name }) => wanted.includes(name))
    .map(({ name, detail }) => ('text' in detail ? `${name} ${String(detail.text)}` : name));

/** Waits for an event of the element that `test` accepts. */
export function heard<Name extends keyof SignEventDetails>(
  element: SignTranslate,
  name: Name,
  test: (detail: SignEventDetails[Name]) => boolean = () => true,
): Promise<SignEventDetails[Name]> {
  return new Promise((resolve) => {
    const listen = (event: Event): void => {
      const { detail } = event as CustomEvent<SignEventDetails[Name]>;
      if (!test(detail)) return;
      element.removeEventListener(name, listen);
      resolve(detail);
    };
    element.addEventListener(name, listen);
  });
}

export async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** The error that a promise rejects with; fails when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('did not reject');
    },
    (error: Error) => error,
  );
}

export interface Painted {
  /** The text whose clip it is, of those named. */
  text: string | undefined;
  frame: number;
  /** Seconds of the video that showed it. */
  time: number;
  /** Seconds before it for which nobody had looked: on a busy machine more than a text may take. */
  unseen: number;
}

/** A first frame may be seen that many frames late, half a second, on a machine that is busy. */
export const SEEN_LATE = 12;
/** Seconds that the shortest text of the tests is on screen, at double speed, and a little less. */
const SHORTEST = 0.4;

/** Number of a frame, without those before it that may have gone by unseen. */
export const seenFrame = ({ frame, unseen }: Painted): number => Math.max(0, frame - Math.ceil(unseen * 25));

/**
 * The named texts that were painted, each once for each time that it came on screen or began again. A busy browser that
 * stands still may go back by a frame or two, which is no beginning. Of `wanted` those that are missing where nobody looked
 * for so long count as painted.
 */
export function runs(painted: readonly Painted[], wanted: readonly string[] = []): string[] {
  const shown: string[] = [];
  let wasUnseen = false;
  const missing = (end?: number): string[] =>
    wasUnseen ? wanted.slice(wanted.indexOf(shown.at(-1) ?? '') + 1, end) : [];
  painted.forEach(({ text, frame, unseen }, at) => {
    wasUnseen ||= unseen > SHORTEST;
    const before = painted[at - 1];
    if (text === undefined || (text === before?.text && frame >= before.frame - 2)) return;
    shown.push(...missing(wanted.indexOf(text)), text);
    wasUnseen = false;
  });
  return [...shown, ...missing()];
}

/** Looks once an animation frame at what the front video shows, until the returned function is called. */
export function watchPicture(element: SignTranslate, texts: string[]): () => Promise<Painted[]> {
  const byClip = new Map(texts.map((text) => [clipId(text), text]));
  const painted: Painted[] = [];
  let looking = true;
  let lookedAt = performance.now();
  const look = async (): Promise<void> => {
    const unseen = (performance.now() - lookedAt) / 1000;
    lookedAt = performance.now();
    const video = element.media;
    if (!video || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const stamp = await stampOf(video);
    if (!stamp) return;
    const now = { text: byClip.get(stamp.clip), frame: stamp.frame, time: video.currentTime, unseen };
    const last = painted.at(-1);
    if (last?.text !== now.text || last?.frame !== now.frame || unseen > SHORTEST) painted.push(now);
  };
  const watch = async (): Promise<void> => {
    // Once more when it is over: on a busy machine the look before may have come too soon for the last frame.
    for (let isLast = false; !isLast;) {
      isLast = !looking;
      await frames(1);
      await look();
    }
  };
  const ended = watch();
  return async () => {
    looking = false;
    await ended;
    return painted;
  };
}

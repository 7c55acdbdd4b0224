// Shared by the browser tests of elements: an element on the page, its events, and the frames that were painted.
import { clipId } from '../../demo/sandbox/stamp.ts';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import type { SignEventDetails } from '../../src/elements/sign-events.ts';
import '../../src/define/sign-translate.ts';
import { openSockets, proxyAddress } from '../backend/client.ts';
import type { Stamp } from '../../demo/sandbox/stamp.ts';
import { stampOf } from '../page/read-stamp.ts';
import { until } from '../until.ts';
import { frames } from './on-page.ts';

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
 * An element at the real proxy, and all its events from now on. It has no idle signer, whose media would get the faults that a
 * test sets for the media of a text.
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
  // The control bar is code of its own; a closed panel loads none.
  if (element.controls && !element.launcher)
    await until(() => element.shadowRoot!.querySelector('.controls:not(.coming)'));
  return { element, said };
}

/** Waits until the service has no session of this page any more. */
export const untilNobodyIsConnected = (): Promise<number> => until(openSockets, (count) => count === 0);

/**
 * Takes every element off the page and lets it end. The last frames of its session would otherwise get the faults of the next
 * test.
 */
export async function unmountAll(): Promise<void> {
  for (const element of document.querySelectorAll('sign-translate')) element.remove();
  await frames(3);
  await untilNobodyIsConnected();
}

export function record(element: SignTranslate): Said[] {
  const said: Said[] = [];
  for (const name of names) {
    element.addEventListener(name, (event) => {
      said.push({ name, detail: (event as CustomEvent<Said['detail']>).detail });
    });
  }
  return said;
}

/** Names of the events, in order; `sign-start hello` with the text where there is one. */
export const inOrder = (said: Said[], ...wanted: (keyof SignEventDetails)[]): string[] =>
  said
    .filter(({ name }) => wanted.includes(name))
    .map(({ name, detail }) => ('text' in detail ? `${name} ${String(detail.text)}` : name));

/** Waits for an event of the element that `test` accepts. */
export function heard<Name extends keyof SignEventDetails>(
  element: HTMLElement,
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

/** Waits for the first frame of a sentence and pauses there: a test that is slow must not miss it. */
export const stoppedAt = (element: SignTranslate, words: string): Promise<unknown> =>
  heard(element, 'sign-start', ({ text }) => {
    if (text === words) element.pause();
    return text === words;
  });

/** The error that a promise rejects with; fails when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('did not reject');
    },
    (error: Error) => error,
  );
}

interface Painted {
  /** The text of the clip, one of the named texts. */
  text: string | undefined;
  frame: number;
  /** The element's time when the frame was on screen, in seconds. */
  time: number;
}

const FRAMES_PER_SECOND = 25;

/** The named texts that were seen, one entry for each time that a text came on screen or began again. */
export function runs(painted: readonly Painted[]): string[] {
  const shown: string[] = [];
  painted.forEach(({ text, frame }, at) => {
    const before = painted[at - 1];
    // A busy browser may go back by a frame or two, which is no new beginning.
    if (text === undefined || (text === before?.text && frame >= before.frame - 2)) return;
    shown.push(text);
  });
  return shown;
}

/** The frames that were seen out of order, where these texts are shown in this order, each once. */
export function misplaced(painted: readonly Painted[], texts: readonly string[]): string[] {
  let last = -1;
  return runs(painted).filter((text) => {
    const at = texts.indexOf(text);
    const isMisplaced = at <= last;
    last = Math.max(last, at);
    return isMisplaced;
  });
}

/**
 * The second of the element at which the first frame of a text was due. A busy browser paints most frames late, and a few are seen
 * early, because its script still has an older time of the video: so a quarter of the frames may be early, and all others late.
 */
export function startOf(painted: readonly Painted[], text: string): number {
  const starts = painted
    .filter((seen) => seen.text === text)
    .map(({ frame, time }) => time - frame / FRAMES_PER_SECOND)
    .sort((a, b) => a - b);
  return starts[Math.floor(starts.length / 4)] ?? Infinity;
}

/**
 * How many frames of a text had passed when a video came on screen or began to play, at this second of the element: below 0 when
 * the text came later. A busy browser paints the first frames late or not at all, so the first painted frame is no measure.
 */
export const passedFrames = (shownFrom: number, painted: readonly Painted[], text: string): number =>
  (shownFrom - startOf(painted, text)) * FRAMES_PER_SECOND;

/** The seconds of the element at which its videos come on screen from now on, each in its turn. */
export function watchVideos(element: SignTranslate): readonly number[] {
  const shownFrom: number[] = [];
  let shown: HTMLVideoElement | null = null;
  element.addEventListener('resize', () => {
    if (element.media === shown) return;
    shown = element.media;
    shownFrom.push(element.currentTime);
  });
  return shownFrom;
}

/** Seconds of the element: the start of a text lies between a frame before its report and the report. */
export interface ReportedStart {
  readonly from: number;
  readonly to: number;
}

/** The reported starts of texts from now on. A busy browser reports frames seconds apart, and a start with a frame. */
export function watchStarts(element: SignTranslate): readonly ReportedStart[] {
  const starts: ReportedStart[] = [];
  let watched: HTMLVideoElement | null = null;
  let seconds: number[] = [];
  const watch = (video: HTMLVideoElement): void => {
    video.requestVideoFrameCallback((_, { mediaTime }) => {
      if (video !== watched) return;
      // The callback for the reported frame may come before or after the report.
      seconds = [...seconds.slice(-1), mediaTime];
      watch(video);
    });
  };
  element.addEventListener('timeupdate', () => {
    const { media } = element;
    if (!media || media === watched) return;
    [watched, seconds] = [media as HTMLVideoElement, []];
    watch(watched);
  });
  element.addEventListener('sign-start', () => {
    const { media, currentTime } = element;
    const { played } = media!;
    // A video of which no frame was reported before has played from its own beginning.
    const began = played.length > 0 ? played.start(0) : currentTime;
    starts.push({ from: (media === watched ? seconds[0] : undefined) ?? began, to: currentTime });
  });
  return starts;
}

/**
 * Reads what is on screen at each first and last frame that the element reports, and once an animation frame, until the
 * returned function is called; `painted` is what was read so far.
 */
export function watchPicture(
  element: SignTranslate,
  texts: string[],
): (() => Promise<Painted[]>) & { readonly painted: readonly Painted[] } {
  const byClip = new Map(texts.map((text) => [clipId(text), text]));
  const painted: Painted[] = [];
  let reading = Promise.resolve();
  const note = async (seen: Promise<Stamp | null>, time: number): Promise<void> => {
    const stamp = await seen;
    if (!stamp) return;
    const now = { text: byClip.get(stamp.clip), frame: stamp.frame, time };
    const last = painted.at(-1);
    if (last?.text !== now.text || last?.frame !== now.frame) painted.push(now);
  };
  // The frame is copied at once, and its stamp is read in order.
  const look = (): void => {
    const { media: video, currentTime } = element;
    if (!video || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const seen = stampOf(video);
    reading = reading.then(() => note(seen, currentTime));
  };
  const looking = new AbortController();
  const { signal } = looking;
  for (const name of ['sign-start', 'sign-end']) element.addEventListener(name, look, { signal });
  const watch = async (): Promise<void> => {
    // Once more when it is over, for the last frame.
    for (let isLast = false; !isLast;) {
      isLast = signal.aborted;
      await frames(1);
      look();
      await reading;
    }
  };
  const ended = watch();
  const stop = async (): Promise<Painted[]> => {
    looking.abort();
    await ended;
    return painted;
  };
  return Object.assign(stop, { painted });
}

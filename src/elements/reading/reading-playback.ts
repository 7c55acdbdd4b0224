// When a reading plays: on a page one at a time, and not while the page does not show its signer or its text.
// - A signer that reads nothing is not paused, because its next text would wait for the visitor.
// - A dialog that is closed, or the view of a router that is kept, may hide a reading, and each of its sentences would be
//   billed. What is hidden from the beginning is read, because the page may want that.
// - It goes on when both are shown again. After a pause by the visitor it does not.
import { findParts } from '../../page/parts.ts';
import { shownAround } from '../../page/scrollers.ts';
import type { QueueEntry } from '../sign-events.ts';
import { boxAround, isOff, isRendered } from '../../page/rendered.ts';

interface Reading {
  readonly host: HTMLElement & {
    readonly for: string | null | undefined;
    readonly paused: boolean;
    readonly ended: boolean;
    pause(): void;
    play(): Promise<void>;
  };
  readonly queue: { readonly isBusy: boolean; readonly entries: readonly QueueEntry[] };
  /** Plays what comes, but signs nothing again. */
  readonly unpause: () => Promise<void> | undefined;
}

/** The one that began last, and what pauses it where it is hidden. */
let last: (Reading & { readonly check: () => void }) | null = null;

export function watchPlayback(reading: Reading): void {
  const { host, queue } = reading;
  const self = { ...reading, check: pauseHidden(reading) };
  host.addEventListener('playing', () => {
    // A `play` event may come late, after the reading was paused.
    if (host.paused || !queue.isBusy || last === self) return;
    if (last?.queue.isBusy) last.host.pause();
    last = self;
  });
}

/** Another reading plays, which a visitor has started since. */
function isOutdone({ host }: Reading): boolean {
  if (!last || last.host === host) return false;
  // Both may be hidden and shown at once, as in two tabs.
  last.check();
  return last.queue.isBusy && !last.host.paused;
}

/** Returns what looks whether it is hidden. */
function pauseHidden(reading: Reading): () => void {
  const { host, queue } = reading;
  const parts = (): Element[] => findParts(host, host.for ?? '');
  /** The part with the sentence on screen; null where nothing is watched. */
  let part: Element | null = null;
  /** Whether the signer and the text were shown. */
  let was: readonly [boolean, boolean] = [false, false];
  let isSeen = false;
  let hasBegun = false;
  let resumes = false;
  const check = (): void => {
    if (!part) return;
    if (!queue.isBusy) return end();
    const isFree = isInWindow(host);
    const is = [isFree || isRendered(pictureOf(host)), isFree || isTextShown(part, parts())] as const;
    if (is[0] === was[0] && is[1] === was[1]) return;
    // Nobody has paused it: its video has not come. It is paused when it comes.
    if (isSeen && host.paused && (!hasBegun || host.ended)) return;
    was = is;
    const isShown = is[0] && is[1];
    if (isShown) {
      if (resumes && host.paused && !isOutdone(reading)) host.play().catch(() => {});
      isSeen = true;
      resumes = false;
    } else if (isSeen && !host.paused) {
      resumes = true;
      host.pause();
    }
  };
  // The one does not see what is out of the window, the other not what is around a box of a fixed size.
  const observers = [new IntersectionObserver(check), new ResizeObserver(check)];
  const watch = (node: Node): void => {
    const around = new Set(shownAround(node));
    part = parts().find((one) => around.has(one)) ?? host;
    const boxes = new Set([pictureOf(host), boxAround(part), boxAround(part.parentNode)]);
    for (const observer of observers) {
      observer.disconnect();
      for (const box of boxes) if (box) observer.observe(box);
    }
    check();
  };
  const end = (): void => {
    for (const observer of observers) observer.disconnect();
    part = null;
    was = [false, false];
    // The next text would wait for the visitor.
    if (resumes) reading.unpause()?.catch(() => {});
    isSeen = hasBegun = resumes = false;
  };
  for (const type of ['play', 'playing'])
    host.addEventListener(type, () => {
      if (!host.paused) resumes = false;
    });
  host.addEventListener('sign-queuechange', ({ target }) => {
    if (target !== host) return;
    const { isBusy, entries } = queue;
    if (!isBusy) end();
    // A reading that has begun, or a part that the page has replaced.
    else if (!part?.isConnected)
      watch((entries.find(({ state }) => state === 'signing') ?? entries[0])?.element ?? host);
  });
  host.addEventListener('sign-sentence', ({ target, detail: { range } }) => {
    if (target !== host) return;
    hasBegun = true;
    watch(range.startContainer);
  });
  return check;
}

/** The box of the signer's picture: of a minimised panel only the bar is left. */
const pictureOf = (host: Element): Element => host.shadowRoot?.querySelector('.box') ?? host;

/** The signer is in a window of its own, which stays when the page hides it. */
const isInWindow = ({ shadowRoot }: Element): boolean => Boolean(shadowRoot?.pictureInPictureElement);

/** A part that is hidden itself is left out where another part is shown. */
const isTextShown = (part: Element, parts: readonly Element[]): boolean =>
  isRendered(part) || (isOff(part) && parts.some(isRendered));

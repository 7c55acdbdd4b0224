// When a reading plays: on a page one at a time, and not while the page does not show its signer or its text.
// - A signer that reads nothing is not paused, because its next text would wait for the visitor.
// - A dialog that is closed, or the view of a router that is kept, may hide a reading, and each of its sentences would be
//   billed. What is hidden from the beginning is read, because the page may want that.
// - It goes on when both are shown again. After a pause by the visitor it does not.
import { findParts } from '../../page/parts.ts';
import { shownAround } from '../../page/scrollers.ts';

interface Reading {
  readonly host: HTMLElement & {
    readonly for: string | null | undefined;
    readonly paused: boolean;
    pause(): void;
    play(): Promise<void>;
  };
  readonly queue: { readonly isBusy: boolean };
}

/** The one that began last. */
let last: Reading | null = null;

export function watchPlayback(reading: Reading): void {
  playAlone(reading);
  pauseHidden(reading);
}

function playAlone(reading: Reading): void {
  reading.host.addEventListener('playing', () => {
    // A `play` event may come late, after the reading was paused.
    if (reading.host.paused || !reading.queue.isBusy || last === reading) return;
    if (last?.queue.isBusy) last.host.pause();
    last = reading;
  });
}

function pauseHidden({ host, queue }: Reading): void {
  /** The signer, and what the part with the sentence on screen is in: a part that is hidden itself is no text any more. */
  let boxes: readonly Element[] = [];
  let wasShown = false;
  let resumes = false;
  const check = (): void => {
    if (!queue.isBusy) return end();
    const isShown = isInWindow(host) || boxes.every(isRendered);
    if (isShown === wasShown) return;
    wasShown = isShown;
    if (isShown && resumes && host.paused) host.play().catch(() => {});
    resumes = !isShown && !host.paused;
    if (resumes) host.pause();
  };
  const observer = new IntersectionObserver(check);
  const end = (): void => {
    observer.disconnect();
    boxes = [];
    wasShown = resumes = false;
  };
  host.addEventListener('playing', () => {
    if (!host.paused) resumes = false;
  });
  host.addEventListener('sign-sentence', ({ target, detail: { range } }) => {
    if (target !== host) return;
    const part = findParts(host, host.for ?? '').find((one) => one.contains(range.startContainer));
    const around = part?.parentElement && boxAround(part.parentElement);
    boxes = around ? [host, around] : [host];
    observer.disconnect();
    for (const box of boxes) observer.observe(box);
    check();
  });
}

/** The signer is in a window of its own, which stays when the page hides it. */
const isInWindow = ({ shadowRoot }: Element): boolean => Boolean(shadowRoot?.pictureInPictureElement);

/** This element, or what it is in where it has no box of its own (`display: contents`). */
function boxAround(element: Element): Element | null {
  for (const at of shownAround(element))
    if (at instanceof Element && getComputedStyle(at).display !== 'contents') return at;
  return null;
}

/** Also an element that has left the page: what takes it away says more. */
const isRendered = (element: Element): boolean =>
  !element.isConnected || element.checkVisibility?.() !== false;

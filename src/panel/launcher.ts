// The button that opens a closed panel. It is plain DOM, because the classic script shows it before anything else is loaded.
// - It is in the corner of the panel. Target 48 px, text of 16 px at least.
// - In an ancestor with a transform or a filter, a fixed element is placed in that ancestor and not in the window. Then the host
//   goes into the top layer, as a popover.
// - It moves off bars of the page that are fixed at the same edge of the window, such as those that ask about cookies, so that
//   their buttons stay free. It looks for them half a second after it is shown, and after the page or the window has changed.
import { remembered } from './panel-place.ts';

const texts: Readonly<Record<string, string>> = {
  en: 'Sign language',
  cy: 'Iaith arwyddion',
  es: 'Lengua de signos',
  fr: 'Langue des signes',
  de: 'Gebärdensprache',
  pt: 'Língua gestual',
  ar: 'لغة الإشارة',
};

const drawing =
  'M7 11V5a1.5 1.5 0 0 1 3 0v5h.7V3.5a1.5 1.5 0 0 1 3 0V10h.7V5a1.5 1.5 0 0 1 3 0v8l1.5-2a1.6 1.6 0 0 1 2.6 1.8l-4 7A5 5 0 0 1 12.5 22H12a5 5 0 0 1-5-5z';

const css = `
:host([placement]){position:fixed!important;display:block!important;visibility:visible!important;inline-size:auto!important;
z-index:var(--sign-z-index,1000)!important;pointer-events:none!important}
:host([placement][hidden]){display:none!important}
:host([popover]:not(:popover-open)){display:none!important}
:host([popover]){inset:auto!important;margin:0!important;border:0!important;padding:0!important;background:none!important;overflow:visible!important}
:host([placement*='bottom-' i]){bottom:max(1rem,env(safe-area-inset-bottom,0px))!important}
:host([placement*='top-' i]){top:max(1rem,env(safe-area-inset-top,0px))!important}
:host([placement*='-right' i]){right:max(1rem,env(safe-area-inset-right,0px))!important}
:host([placement*='-left' i]){left:max(1rem,env(safe-area-inset-left,0px))!important}
.launcher~*{display:none!important}
.launcher{all:initial;pointer-events:auto;display:flex;align-items:center;gap:.5em;min-block-size:48px;padding:0 1em;box-sizing:border-box;
border:2px solid CanvasText;border-radius:24px;background:Canvas;color:CanvasText;
font:600 max(1rem,16px)/1.2 system-ui,sans-serif;cursor:pointer}
.launcher:focus-visible{outline:3px solid CanvasText;outline-offset:2px;box-shadow:0 0 0 7px Canvas}
.launcher svg,::slotted([slot=icon-launcher]){inline-size:24px;block-size:24px}
.launcher svg{fill:currentcolor}
@media print{:host([placement]){display:none!important}}`;

export interface Launcher {
  readonly button: HTMLButtonElement;
  /** Takes the button and its styles away. */
  remove(): void;
}

/** Shows the button in a shadow root; `lang` is a BCP 47 tag. */
export function showLauncher(root: ShadowRoot, lang: string, press: () => void): Launcher {
  const language = lang.toLowerCase().split(/[-_]/)[0]!;
  const button = document.createElement('button');
  button.className = 'launcher';
  button.setAttribute('part', 'launcher');
  button.setAttribute('aria-expanded', 'false');
  const namespace = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(namespace, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', drawing);
  icon.append(path);
  const isKnown = Object.hasOwn(texts, language);
  const own = document.createElement('slot');
  own.name = 'icon-launcher';
  own.append(icon);
  button.append(own, isKnown ? texts[language]! : texts.en!);
  button.lang = isKnown ? language : 'en';
  button.addEventListener('click', press);
  const sheet = new root.ownerDocument.defaultView!.CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  root.prepend(button);
  leaveHolder(root.host as HTMLElement);
  const stop = keepOffBars(root.host, button);
  return {
    button,
    remove() {
      stop();
      button.remove();
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet);
    },
  };
}

/**
 * Puts a placed element into the top layer when a fixed element is placed in an ancestor (by its `transform`, `filter` or
 * `contain`): otherwise the element would be somewhere on the page, and scroll away.
 */
export function leaveHolder(host: HTMLElement): void {
  if (!host.isConnected || !('showPopover' in host) || host.matches(':popover-open,:fullscreen')) return;
  // A popover of an earlier place in the page would hide the element.
  host.popover = null;
  const probe = document.createElement('i');
  Object.assign(probe.style, { position: 'fixed', inset: '0', display: 'block' });
  // Before the button, because the style sheet hides what comes after it.
  host.shadowRoot!.prepend(probe);
  const { top, left, bottom } = probe.getBoundingClientRect();
  const isHeld = Math.abs(top) + Math.abs(left) + Math.abs(bottom - innerHeight) > innerHeight / 10;
  probe.remove();
  if (!isHeld) return;
  host.popover = 'manual';
  // Lays the page out while the style sheets still hide the element: otherwise WebKit 2.50 leaves an element that is fixed in an
  // ancestor at its place there, out of the window.
  host.getBoundingClientRect();
  host.showPopover();
}

const LOOK_AFTER_MS = 500;
/** Pixels between the button and a bar. */
const GAP = 8;

/** Moves the button, whose host stays in its corner, as long as it is in the page. Returns a function that ends that. */
function keepOffBars(host: Element, button: HTMLElement): () => void {
  let timer = 0;
  const changes = new MutationObserver(() => soon());
  const soon = (): void => void (timer ||= window.setTimeout(look, LOOK_AFTER_MS));
  const stop = (): void => {
    clearTimeout(timer);
    changes.disconnect();
    removeEventListener('resize', soon);
  };
  const look = (): void => {
    timer = 0;
    // A page of unit tests (happy-dom, jsdom) lays nothing out, and has no such method.
    if (!button.isConnected || !document.elementsFromPoint) return stop();
    const shift = shiftOffBars(host);
    button.style.translate = shift ? `0 ${shift}px` : '';
  };
  const attributeFilter = ['class', 'hidden', 'open', 'style'];
  changes.observe(document, { subtree: true, childList: true, attributeFilter });
  addEventListener('resize', soon);
  soon();
  return stop;
}

/** How many pixels to go down from the host, negative for up; 0 without a bar. A bar of over half a window does not count. */
function shiftOffBars(host: Element): number {
  const { left, top, right, bottom } = host.getBoundingClientRect();
  const isAtTop = top < innerHeight - bottom;
  let shift = 0;
  for (const x of [left + 1, (left + right) / 2, right - 1]) {
    for (const y of [top + 1, bottom - 1]) {
      for (const element of document.elementsFromPoint(x, y)) {
        const bar = host.contains(element) ? null : fixedAround(x, y, element)?.getBoundingClientRect();
        if (!bar || bar.height > innerHeight / 2) continue;
        shift = isAtTop ? Math.max(shift, bar.bottom - top + GAP) : Math.min(shift, bar.top - bottom - GAP);
      }
    }
  }
  return shift;
}

/** The fixed element around what is at this point in an element, which may be a component: its bar is in its shadow root. */
function fixedAround(x: number, y: number, element: Element): Element | null {
  let at: Element | null = element;
  for (let tree = at.shadowRoot; tree;) {
    const inner: Element | null = tree.elementFromPoint(x, y);
    if (inner?.getRootNode() !== tree) break;
    at = inner;
    tree = inner.shadowRoot;
  }
  while (at && getComputedStyle(at).position !== 'fixed')
    at = at.assignedSlot ?? at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null;
  return at;
}

/** True when the visitor had left this panel open on another page of the site. */
export const wasLeftOpen = (element: Element): boolean =>
  element.getAttribute('remember') !== 'none' && Boolean(remembered(element)?.open);

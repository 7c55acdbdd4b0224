// The panel of an element with a `placement`: opens, closes, moves, resizes, minimises, and remembers what a visitor chose.
// - A closed panel covers nothing: with `launcher` only its button is there, else nothing.
// - A panel is never outside the window: its place is computed anew when the window or its own size changes.
import { render } from 'lit';
import { avoidCover } from './cover-avoidance.ts';
import { ClosedPanel, type PanelDeps } from './closed-panel.ts';
import { drag, headView } from './panel-head.ts';
import { leaveHolder } from './launcher.ts';
import { PanelPlayback, type PanelHost } from './panel-playback.ts';
import { panelLanguage, panelStrings } from './panel-strings.ts';
import { moved, nextCorner, placeAt, remember, remembered, type Area, type Place } from './panel-place.ts';
import { panelStyles } from './panel.styles.ts';

/** A place, and whether only its bar is shown, to uncover the focus. */
interface Spot {
  readonly place: Place;
  readonly barOnly: boolean;
}

const MIN_WIDTH = 288;
const STEP = 32;

export class Panel {
  readonly #host: PanelHost;
  readonly #deps: PanelDeps;
  readonly #playback: PanelPlayback;
  readonly #head = document.createElement('div');
  #sheets: CSSStyleSheet[] = [];
  /** The page has got `sign-open`, and no `sign-close` after it. A panel that is drawn again after a teardown fires no event. */
  #isReportedOpen = false;
  /** Ends the listeners of the open panel. */
  #shown: AbortController | null = null;
  readonly #closed: ClosedPanel;
  #placement = '';
  #home: Place = placeAt('');
  /** The visitor's own choice; null while there is none. */
  #chosen: Place | null = null;
  #spot: Spot = { place: this.#home, barOnly: false };
  /** The visitor pressed a button that disappears, so the focus must be moved. */
  #movesFocus = false;
  /** The element of the page that had the focus before the panel was shown. */
  #before: HTMLElement | null = null;

  constructor(host: PanelHost, deps: PanelDeps, closed: ClosedPanel | null) {
    this.#host = host;
    this.#deps = deps;
    this.#closed = closed ?? new ClosedPanel(host, deps);
    this.#playback = new PanelPlayback(host);
    this.#head.className = 'head';
    this.#head.setAttribute('part', 'head');
    for (const type of ['fullscreenchange', 'fullscreenerror'])
      host.addEventListener(type, () => {
        this.moved();
        this.#draw();
      });
  }

  /** Called after each update of the element. */
  update(): void {
    const host = this.#host;
    // A page of unit tests lays nothing out: jsdom has no such observer, and before 30 no such sheets.
    const isLaidOut = Boolean(this.#root.adoptedStyleSheets && window.ResizeObserver);
    if (host.placement === 'inline') this.#isReportedOpen = false;
    if (host.placement === 'inline' || !host.isConnected || !isLaidOut) return this.detach();
    if (host.placement !== this.#placement) this.#begin();
    if (host.open) this.#show();
    else this.#hide();
  }

  /** The page has moved the element, or it left the full screen: it may have to go into the top layer again. */
  moved(): void {
    if (this.#shown) leaveHolder(this.#host);
    else this.#closed.moved();
  }

  /** Removes everything that the panel has added to the element. */
  detach(): void {
    if (this.#placement === '') return;
    this.#placement = '';
    this.#stopShowing();
    this.#closed.detach();
    this.#head.remove();
    this.#host.removeAttribute('popover');
    this.#playback.release();
    this.#adopt([]);
  }

  #begin(): void {
    const host = this.#host;
    const isFirst = this.#placement === '';
    this.#placement = host.placement;
    const choices = isFirst && host.remember !== 'none' ? remembered(host) : null;
    this.#chosen = choices?.place ?? null;
    this.#home = this.#chosen ?? placeAt(host.placement);
    this.#put({ place: this.#home, barOnly: false });
  }

  #show(): void {
    if (this.#shown) return this.#draw();
    this.#closed.detach();
    this.#shown = new AbortController();
    const { signal } = this.#shown;
    this.#root.prepend(this.#head);
    this.#adopt([panelStyles.cssText, '']);
    this.#before = document.activeElement as HTMLElement | null;
    leaveHolder(this.#host);
    this.#put({ place: this.#home, barOnly: false });
    addEventListener('resize', () => this.#put(this.#spot), { signal });
    // WebKitGTK 2.50 applies the media queries of a new window size after this call: a change of size now is an error event.
    const sizes = new ResizeObserver(() => requestAnimationFrame(() => this.#put(this.#spot)));
    sizes.observe(this.#host);
    signal.addEventListener('abort', () => sizes.disconnect());
    const spots = (isFocus: boolean): Spot[] => this.#spots(isFocus);
    avoidCover(this.#host, { spots, put: (spot) => this.#put(spot) }, signal);
    if (!this.#isReportedOpen) this.#report('sign-open');
    if (this.#closed.takePress()) this.#host.focus({ preventScroll: true });
  }

  #hide(): void {
    const isChange = this.#shown !== null;
    if (isChange && this.#host.matches(':fullscreen')) void document.exitFullscreen();
    this.#stopShowing();
    this.#adopt(this.#host.launcher ? [] : [':host{display:none!important}']);
    this.#closed.update();
    this.#playback.setSeen(false);
    if (!isChange) return;
    this.#report('sign-close');
    if (this.#movesFocus) (this.#closed.button ?? this.#before)?.focus({ preventScroll: true });
    this.#movesFocus = false;
  }

  #stopShowing(): void {
    this.#shown?.abort();
    this.#shown = null;
  }

  #report(name: 'sign-open' | 'sign-close'): void {
    this.#isReportedOpen = name === 'sign-open';
    this.#keep();
    this.#host.dispatchEvent(new CustomEvent(name, { detail: {}, bubbles: true, composed: true }));
  }

  /** Keeps what the visitor chose. */
  #keep(): void {
    const { open, remember: where } = this.#host;
    if (where !== 'none') remember(this.#host, { place: this.#chosen, open });
  }

  get #root(): ShadowRoot {
    return this.#host.shadowRoot!;
  }

  /** Adopts sheets with these texts in place of our sheets before; they are made in the document that the element is in now. */
  #adopt(texts: readonly string[]): void {
    const others = this.#root.adoptedStyleSheets.filter((sheet) => !this.#sheets.includes(sheet));
    const { CSSStyleSheet: Sheet } = this.#host.ownerDocument.defaultView ?? window;
    this.#sheets = texts.map((text) => {
      const sheet = new Sheet();
      sheet.replaceSync(text);
      return sheet;
    });
    this.#root.adoptedStyleSheets = [...others, ...this.#sheets];
  }

  /** The window without margins and safe areas, which the style sheet states as `scroll-margin`. */
  get #area(): Area {
    const { clientWidth } = document.documentElement;
    const style = getComputedStyle(this.#host);
    return {
      top: parseFloat(style.scrollMarginTop),
      right: clientWidth - parseFloat(style.scrollMarginRight),
      bottom: innerHeight - parseFloat(style.scrollMarginBottom),
      left: parseFloat(style.scrollMarginLeft),
    };
  }

  get #isWide(): boolean {
    const { left, right } = this.#area;
    return this.#host.getBoundingClientRect().width > right - left - 1;
  }

  #put(spot: Spot): void {
    this.#spot = spot;
    if (!this.#shown) return;
    const { place } = spot;
    this.#draw();
    const width = place.width === null ? '' : `--panel-width:${place.width}px;`;
    const sheet = this.#sheets[1]!;
    sheet.replaceSync(`:host{${width}}`);
    const area = this.#area;
    const size = this.#host.getBoundingClientRect();
    const { clientWidth } = document.documentElement;
    const side = place.horizontal === 'left' ? area.left : clientWidth - area.right;
    const edge = place.vertical === 'top' ? area.top : innerHeight - area.bottom;
    const x = side + Math.max(0, Math.min(place.x, area.right - area.left - size.width));
    const y = edge + Math.max(0, Math.min(place.y, area.bottom - area.top - size.height));
    const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;
    sheet.replaceSync(
      `:host{${width}}:host(:not(:fullscreen)){${place.horizontal}:${x}px!important;${place.vertical}:${y}px!important;` +
        `${opposite[place.horizontal]}:auto!important;${opposite[place.vertical]}:auto!important}`,
    );
    this.#playback.setSeen(!place.minimised && !spot.barOnly);
  }

  /** The spots to try: its place, the other corners, then, for the focus, all of these with only its bar. */
  #spots(isFocus: boolean): Spot[] {
    const corners: Place[] = [];
    for (let place = nextCorner(this.#home); corners.length < 4; place = nextCorner(place))
      corners.push(place);
    const places = [this.#home, ...corners];
    const bars = this.#home.minimised || !isFocus ? [] : places.map((place) => ({ place, barOnly: true }));
    return [...places.map((place) => ({ place, barOnly: false })), ...bars];
  }

  /** The visitor chose another place. */
  #choose(place: Place): void {
    this.#home = this.#chosen = place;
    this.#put({ place, barOnly: false });
    this.#keep();
  }

  #draw(): void {
    const { place, barOnly } = this.#spot;
    const minimised = place.minimised || barOnly;
    const fullscreen = this.#host.matches(':fullscreen');
    const lang = this.#deps.lang();
    this.#head.lang = panelLanguage(lang);
    this.#head.classList.toggle('minimised', minimised && !fullscreen);
    this.#head.classList.toggle('whole', fullscreen);
    const view = headView({
      strings: { ...panelStrings(lang), ...this.#deps.texts() },
      minimised: minimised && !fullscreen,
      fullscreen,
      freeSide: place.horizontal === 'left' ? 'right' : 'left',
      drag: (event) => this.#drag(event),
      resize: (event) => this.#resize(event),
      key: (event) => this.#key(event),
      nextCorner: () => this.#choose(nextCorner(this.#spot.place, this.#isWide)),
      scale: (factor) => this.#scale(this.#host.getBoundingClientRect().width * factor),
      minimise: () => this.#choose({ ...this.#spot.place, minimised: !minimised }),
      toggleFullscreen: () => {
        // An open popover cannot become full screen (Fullscreen API, 4).
        this.#host.removeAttribute('popover');
        this.#deps.toggleFullscreen();
      },
      close: () => {
        this.#movesFocus = true;
        this.#host.open = false;
      },
    });
    render(view, this.#head);
  }

  #drag(event: PointerEvent): void {
    if (this.#host.matches(':fullscreen')) return;
    const start = this.#host.getBoundingClientRect();
    const { place } = this.#spot;
    const move = (dx: number, dy: number): void => {
      const point = { left: start.left + dx, top: start.top + dy };
      this.#home = this.#chosen = moved(place, point, start, this.#area);
      this.#put({ place: this.#home, barOnly: false });
    };
    drag(event, move, (hasDragged) => hasDragged && this.#keep());
  }

  #resize(event: PointerEvent): void {
    const { width } = this.#host.getBoundingClientRect();
    const outwards = this.#spot.place.horizontal === 'left' ? 1 : -1;
    const scale = (dx: number): void => this.#scale(width + outwards * dx);
    drag(event, scale, () => {});
  }

  /** The panel may become narrower than this, because the window limits its width. */
  #scale(width: number): void {
    const { place } = this.#spot;
    this.#put({ place: { ...place, width: Math.max(MIN_WIDTH, Math.round(width)) }, barOnly: false });
    this.#choose({ ...place, width: Math.round(this.#host.getBoundingClientRect().width) });
  }

  #key(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-STEP, 0],
      ArrowRight: [STEP, 0],
      ArrowUp: [0, -STEP],
      ArrowDown: [0, STEP],
    };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (!step) return;
    event.preventDefault();
    const rect = this.#host.getBoundingClientRect();
    const point = { left: rect.left + step[0], top: rect.top + step[1] };
    this.#choose(moved(this.#spot.place, point, rect, this.#area));
  }
}

/** @param closed what was shown until now */
export const makePanel = (host: PanelHost, deps: PanelDeps, closed: ClosedPanel | null): Panel =>
  new Panel(host, deps, closed);

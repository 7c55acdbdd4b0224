// `<sign-silence-loop>`: the idle signer, in a loop without end.
// - It makes no request before it is within one screen of the viewport.
import type { PropertyDeclarations, PropertyValues } from 'lit';
import { LazyElement } from './lazy-element.ts';
import type { ControllerEvents } from './controller.ts';
import { oneOf, oneOfProperty } from './attributes.ts';
import type { SignState } from './sign-events.ts';
import type { SilenceController } from './silence-controller.ts';

export type { SignEventDetails, SignStats } from './sign-events.ts';

export type SilenceFormat = 'ts' | 'mp4';

const readFormat = oneOf<SilenceFormat, 'mp4'>('format', ['ts', 'mp4'], 'mp4');

/**
 * The idle signer, in a loop without end (document 2, `GET /v1/silence`).
 *
 * @tag sign-silence-loop
 * @summary An idle signer that waits beside a page's content.
 *
 * @attr {string} proxy - URL prefix of the proxy; default: the prefix the script came from, else `/sign`
 * @attr {string} signer - `RAE`, `JAY`, `MAX` or what the account has; default `RAE` for BSL, `MAX` for ASL
 * @attr {'BSL'|'ASL'} language - default: follows the signer, else `BSL`
 * @attr {'480p'|'720p'|'1080p'} resolution - ignored: the service's files have one of their own
 * @attr {'ts'|'mp4'} format - six segments or one file; default `mp4`
 * @attr {boolean} transparent - the service's video with transparency where the browser plays it, else keyed in the page
 * @attr {string} background - `transparent` or `#RRGGBB`; default: the signer's own backplate
 * @attr {boolean|string} controls - shows the control bar; words choose what is in it
 * @attr {'inline'|'bottom-right'|'bottom-left'|'top-right'|'top-left'} placement - default `inline`
 * @attr {boolean} open - with a placement: the panel is shown; it is by default, unless there is a `launcher`
 * @attr {boolean} launcher - with a placement: a button is shown and nothing else is loaded until it is opened
 * @attr {'site'|'none'} remember - where the visitor's choice of place and size is kept; default `site`
 * @attr {string} lang - language of the element's own texts; default: the nearest `lang` of the page
 *
 * @fires {CustomEvent} sign-statechange - `{ state }`: `idle`, `connecting`, `ready`, `failed`
 * @fires {CustomEvent} sign-error - `{ error }`
 * @fires {CustomEvent} sign-open - the panel was opened
 * @fires {CustomEvent} sign-close - the panel was closed
 *
 * @slot idle - shown before the first frame; default: an outline of a signer
 * @slot icon-play - in place of the icon for play, and one for each other icon: see docs/elements.md
 * @slot controls - buttons of the page, at the end of the control bar
 * @csspart box - the picture's box
 * @csspart video - each video, and the canvas over them that shows the keyed picture
 * @csspart idle - holds the idle slot
 * @csspart label - says on the picture that it is AI-generated
 * @csspart message - what went wrong
 * @csspart retry - the button beside the message, which tries again what failed
 * @csspart controls - the control bar
 * @csspart button - every button
 * @csspart start - the one button over the picture, while playback waits for the visitor
 * @csspart toggle - the button that plays and pauses
 * @csspart replay - disabled: there is no text to sign again
 * @csspart speed - the choice of the speed
 * @csspart pip - the button for picture-in-picture
 * @csspart reset - the button for the normal speed
 * @csspart fullscreen - the button for the whole screen
 * @csspart head - the bar of the panel, with the parts `move`, `title`, `smaller`, `larger`, `minimise`, `enlarge`, `close`
 * @csspart launcher - the button that opens the panel
 * @cssprop [--sign-width=min(100%, max(32rem, 512px))] - width of the element
 * @cssprop [--sign-aspect-ratio=16 / 9] - shape of the picture
 * @cssprop [--sign-backdrop=#dbe4ec] - colour behind the picture; with `background="transparent"` behind the keyed signer,
 *   by default `#dbe4ecd9`, so that signs stay readable over text; `transparent` leaves nothing
 * @cssprop [--sign-radius=0.5rem] - corner radius
 * @cssprop [--sign-focus=CanvasText] - colour of the focus ring
 * @cssprop [--sign-z-index=1000] - with a `placement`
 * @cssprop [--sign-fit=contain] - `cover`: the middle of the picture, with both hands, as in the panel on an upright phone
 * @cssState idle - and one for each other state of `sign-statechange`
 * @cssState plain - the picture has its own backplate in spite of `background`: it cannot be read or has no plain backplate,
 *   or the machine is too slow to key it
 */
export class SignSilenceLoop extends LazyElement<SilenceController> {
  static override properties: PropertyDeclarations = {
    format: oneOfProperty(readFormat),
    transparent: { type: Boolean },
  };

  /** Six segments or one file; default `mp4`. */
  declare format: SilenceFormat;
  /** Default false. */
  declare transparent: boolean;

  /** Waits for the element to come near the viewport; null while it is on no page. */
  #approach: IntersectionObserver | null = null;
  #near = false;
  /** True when `transparent` has set `background`; `background` is then removed when `transparent` is. */
  #hasSetBackground = false;

  constructor() {
    super();
    this.format = 'mp4';
    this.transparent = false;
    this.loop = true;
  }

  protected override get needsController(): boolean {
    return this.#near;
  }

  protected override onShown(): void {
    if (this.#approach || !('IntersectionObserver' in window)) return;
    this.#approach = new IntersectionObserver(
      (entries, observer) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        this.#near = true;
        this.requestUpdate();
      },
      { rootMargin: '100%' },
    );
    this.#approach.observe(this);
  }

  protected override teardown(): void {
    this.#approach?.disconnect();
    this.#approach = null;
    this.#near = false;
    super.teardown();
  }

  protected override tryAgain(): void {
    this.controller?.reset();
    super.tryAgain();
  }

  /** The error stays while it is tried again, so that a screen reader does not speak it each time. */
  protected override endsError(state: SignState): boolean {
    return state === 'ready';
  }

  protected override async loadController(events: ControllerEvents): Promise<SilenceController> {
    const { SilenceController } = await import('./silence-controller.ts');
    return new SilenceController(this, events, () => {
      const { proxy, signer, language, transparent } = this;
      return this.#near ? { proxy, signer, language, format: readFormat(this.format), transparent } : null;
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('transparent')) {
      if (this.#hasSetBackground && this.background === 'transparent') this.background = null;
      this.#hasSetBackground = this.transparent && this.background === null;
      if (this.#hasSetBackground) this.background = 'transparent';
    }
    super.willUpdate(changed);
  }
}

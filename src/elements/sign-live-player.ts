// `<sign-live-player>`: the signer of a live event, by the id of its session or by a manifest's address.
// - Playback starts without a gesture, muted, as soon as the element is on a page.
// - A play button shows where the browser requires a gesture.
import type { PropertyDeclarations } from 'lit';
import type { LiveProtocol } from '../playback/live/engine.ts';
import type { LiveSession } from '../protocol/live-session.ts';
import type { BarState } from './control-bar.ts';
import { expectHls } from '../playback/live/expect-hls.ts';
import { LazyElement } from './lazy-element.ts';
import type { ControllerEvents } from './controller.ts';
import type { LiveController } from './live-controller.ts';
import type { LiveView } from './live-stream.ts';
import { oneOf, oneOfProperty } from './attributes.ts';
import type { ViewState } from './controls.ts';

export type { LiveSession } from '../protocol/live-session.ts';
export type { SignEventDetails, SignStats } from './sign-events.ts';

const readView = oneOf<LiveView, 'signer'>('view', ['signer', 'composite'], 'signer');
const readProtocol = oneOf<LiveProtocol, 'auto'>('protocol', ['auto', 'hls', 'dash'], 'auto');

/**
 * Plays the signer of a live event.
 *
 * @tag sign-live-player
 * @summary The signer of a live session, at the live edge.
 *
 * @attr {string} proxy - URL prefix of the proxy; default: the prefix the script came from, else `/sign`
 * @attr {string} session - id of a live session, looked up through the proxy; preferred to `src`
 * @attr {string} src - address of an HLS or DASH manifest
 * @attr {'signer'|'composite'} view - the signer alone, or composed onto the event's own picture; default `signer`
 * @attr {'auto'|'hls'|'dash'} protocol - default `auto`: HLS where there is one
 * @attr {number} target-latency - how many seconds behind live it plays; default: what the stream asks for
 * @attr {string} sync-with - id of a `<video>` of the page to keep in step with
 * @attr {string} signer - ignored, as the next two are: a session has its own
 * @attr {'BSL'|'ASL'} language - ignored
 * @attr {'480p'|'720p'|'1080p'} resolution - ignored
 * @attr {'transparent'|string} background - `transparent` or `#RRGGBB`; default: the signer's own backplate
 * @attr {boolean|string} controls - shows the control bar; words choose what is in it, with the delay and a button that goes live
 * @attr {'inline'|'bottom-right'|'bottom-left'|'top-right'|'top-left'} placement - default `inline`
 * @attr {boolean} open - with a placement: the panel is shown; it is by default, unless there is a `launcher`
 * @attr {boolean} launcher - with a placement: a button is shown and nothing else is loaded until it is opened
 * @attr {'site'|'none'} remember - where the visitor's choice of place and size is kept; default `site`
 * @attr {string} lang - language of the element's own texts; default: the nearest `lang` of the page
 *
 * @fires {CustomEvent} sign-statechange - `{ state }`: `idle`, `connecting`, `ready`, `signing`, `reconnecting`,
 *   `finalizing`, `ended`, `failed`
 * @fires {CustomEvent} sign-error - `{ error }`; of severity `warning` when it goes on by itself
 * @fires {CustomEvent} sign-stats - what was counted, as the property `stats`
 * @fires {CustomEvent} sign-open - the panel was opened
 * @fires {CustomEvent} sign-close - the panel was closed
 *
 * @slot idle - shown while there is no video; default: an outline of a signer
 * @slot icon-play - in place of the icon for play, and one for each other icon: see docs/elements.md
 * @slot controls - buttons of the page, at the end of the control bar
 * @csspart box - the picture's box
 * @csspart video - each video, and the canvas over them that shows the keyed picture
 * @csspart idle - holds the idle slot
 * @csspart label - says on the picture that it is AI-generated
 * @csspart message - what went wrong, or the state of the session
 * @csspart retry - the button beside the message, which tries again what failed
 * @csspart controls - the control bar
 * @csspart button - every button
 * @csspart start - the one button over the picture, while playback waits for the visitor
 * @csspart toggle - the button that plays and pauses
 * @csspart live - the button that goes live
 * @csspart speed - the choice of the speed
 * @csspart seek - the slider of the position, with the part `time` beside it
 * @csspart mute - the button for the sound, where there is any, with the slider `volume`
 * @csspart pip - the button for picture-in-picture
 * @csspart reset - the button for the normal speed
 * @csspart fullscreen - the button for the whole screen
 * @csspart latency - how many seconds behind live
 * @csspart lag - how many seconds behind the page's video
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
export class SignLivePlayer extends LazyElement<LiveController> {
  static override properties: PropertyDeclarations = {
    session: {},
    src: {},
    view: oneOfProperty(readView),
    protocol: oneOfProperty(readProtocol),
    targetLatency: { attribute: 'target-latency', type: Number },
    syncWith: { attribute: 'sync-with' },
  };

  /** Id of a live session; preferred to `src`. */
  declare session: string | null;
  /** Address of an HLS or DASH manifest. */
  declare src: string | null;
  declare view: LiveView;
  declare protocol: LiveProtocol;
  /** Seconds behind live; null for what the stream asks for. */
  declare targetLatency: number | null;
  /** Id of a `<video>` of the page. */
  declare syncWith: string | null;

  /** True while the element is on a page that is not in the back/forward cache. */
  #isOnPage = false;

  constructor() {
    super();
    this.session = this.src = this.targetLatency = this.syncWith = null;
    this.view = 'signer';
    this.protocol = 'auto';
  }

  /** The session as last looked up; null before that, and for a `src`. */
  get liveSession(): LiveSession | null {
    return this.controller?.session ?? null;
  }
  /** Seconds behind live; NaN while that is not known, and for a stream with an end. */
  get latency(): number {
    return this.controller?.player.latency ?? NaN;
  }
  /** `live` unless the stream is known to have an end; for media-chrome. */
  get streamType(): 'live' | 'on-demand' {
    return this.controller?.player.streamType === 'on-demand' ? 'on-demand' : 'live';
  }
  /** Playback after this second counts as live; NaN while that is not known. */
  get liveEdgeStart(): number {
    return this.controller?.player.liveEdgeStart ?? NaN;
  }
  /** Seconds that a visitor can seek back: 0 for a live stream, NaN for a stream with an end. */
  get targetLiveWindow(): number {
    return this.streamType === 'live' ? 0 : NaN;
  }

  protected override get needsController(): boolean {
    return this.#isOnPage && Boolean(this.session || this.src);
  }

  protected override async loadController(events: ControllerEvents): Promise<LiveController> {
    expectHls(`${this.protocol} ${this.src}`);
    const { LiveController } = await import('./live-controller.ts');
    return new LiveController(this, events, () => {
      if (!this.#isOnPage) return null;
      const { proxy, session, src, targetLatency, syncWith } = this;
      const [view, protocol] = [readView(this.view), readProtocol(this.protocol)];
      return { proxy, session, src, view, protocol, targetLatency, syncWith };
    });
  }

  protected override onShown(): void {
    this.#isOnPage = true;
    super.onShown();
  }

  protected override teardown(): void {
    this.#isOnPage = false;
    super.teardown();
  }

  protected override get viewState(): ViewState {
    return this.controller?.viewState(this.strings) ?? super.viewState;
  }

  protected override get ownControls(): BarState['own'] {
    return () => this.controller?.controls(this.strings);
  }
}

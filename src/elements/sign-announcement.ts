// `<sign-announcement>`: a train announcement in sign language, by its fields.
// - All changes in one task make one announcement; unchanged fields are not announced again.
// - An element that is on no page announces nothing.
import type { PropertyDeclaration, PropertyDeclarations } from 'lit';
import {
  type AnnouncementFields,
  announcementFlags,
  announcementWords,
} from '../protocol/announcement-fields.ts';
import type { AnnouncementController } from './announcement-controller.ts';
import { readBackground } from './attributes.ts';
import { LazyElement } from './lazy-element.ts';
import type { ControllerEvents } from './controller.ts';

export type { AnnouncementFields } from '../protocol/announcement-fields.ts';
export type { SignEventDetails, SignStats } from './sign-events.ts';

const attributeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A template may write `cancelled="false"`, which must not cancel a train. */
const flag: PropertyDeclaration = {
  converter: { fromAttribute: (value) => value !== null && value !== 'false' },
};

/** What `announce()` resolves with at the last frame. */
export interface AnnouncementOutcome {
  requestId: string;
  /** Presigned video. */
  url: string;
}

/**
 * A train announcement in sign language (document 1). Each field of the announcement request is an attribute, and a
 * property in the document's own name; it is announced when they are set, and again when they change.
 *
 * @tag sign-announcement
 * @summary A rail passenger announcement, signed.
 *
 * @attr {string} proxy - URL prefix of the proxy; default: the prefix the script came from, else `/sign`
 * @attr {string} destination - CRS or TIPLOC code; required, except with `split-info` or `static-message` alone, where it is `KGX`
 * @attr {string} timing - departure, `HHMM`; empty when there is none
 * @attr {string} platform - 0 to 24, with or without a letter A to D; empty when unknown
 * @attr {string} operator - train operating company, two letters
 * @attr {string} via - CRS codes with commas between
 * @attr {string} updated-timing - new departure, `HHMM`
 * @attr {string} updated-platform - as `platform`
 * @attr {boolean} cancelled - the train does not run
 * @attr {boolean} short-delay - delayed, nobody knows how long
 * @attr {boolean} long-delay - the same with an apology
 * @attr {string} disruption-reason - code of the rail data feed
 * @attr {boolean} no-platform - no platform yet
 * @attr {string} calling-at - CRS or TIPLOC codes with commas between, in order
 * @attr {string} not-calling-at - CRS codes with commas between
 * @attr {string} split-info - `at<CRS>`, `split<CRS>`, `<n>front<CRS>`, `<n>back<CRS>` with commas between
 * @attr {'next'|'approaching'|'now'} platform-info - kind of platform announcement
 * @attr {'will_arrive'|'has_arrived'} arrival-info - kind of arrival announcement
 * @attr {'next'|'final'} stop-info - next or final stop
 * @attr {string} currently-at - one CRS code, or two with a comma between
 * @attr {string} waits-here - minutes
 * @attr {'left'|'right'} exit-side - where the doors open
 * @attr {boolean} bus-replacement - a bus runs in place of the train
 * @attr {string} current-station - CRS code; needs `bus-replacement`
 * @attr {'minor'|'severe'|'special'} operator-delay - needs `operator`
 * @attr {string} lift-status - `<X>broke,<Y>work`, `allwork` or `allbroke`
 * @attr {string} escalator-status - as `lift-status`
 * @attr {string} static-message - code of the service's; overrides all others
 * @attr {string} bg-colour - `<r>,<g>,<b>`, or `-1,-1,-1` for a transparent WebM; default: what `background` says
 * @attr {string} signer - ignored, as the next two: the announcement API has no such fields
 * @attr {'BSL'|'ASL'} language - ignored
 * @attr {'480p'|'720p'|'1080p'} resolution - ignored
 * @attr {string} background - `transparent` or `#RRGGBB`; default: the service's own
 * @attr {boolean|string} controls - shows the control bar; words choose what is in it
 * @attr {'inline'|'bottom-right'|'bottom-left'|'top-right'|'top-left'} placement - default `inline`
 * @attr {boolean} open - with a placement: the panel is shown; it is by default, unless there is a `launcher`
 * @attr {boolean} launcher - with a placement: a button is shown and nothing else is loaded until it is opened
 * @attr {'site'|'none'} remember - where the visitor's choice of place and size is kept; default `site`
 * @attr {string} lang - language of the element's own texts; default: the nearest `lang` of the page
 *
 * @fires {CustomEvent} sign-statechange - `{ state }`: `idle`, `connecting` (it is being made), `signing`, `ended`, `failed`
 * @fires {CustomEvent} sign-accepted - `{ ref, text }`: `ref` is the request's id here and below, `text` empty
 * @fires {CustomEvent} sign-result - `{ ref, text, url, expiresAt, durationSeconds, pipelineMs }`
 * @fires {CustomEvent} sign-start - `{ ref, text }`: its first frame is on screen
 * @fires {CustomEvent} sign-end - `{ ref, text }`: its last frame has been shown
 * @fires {CustomEvent} sign-error - `{ error, ref? }`
 * @fires {CustomEvent} sign-stats - what was counted, as the property `stats`
 * @fires {CustomEvent} sign-open - the panel was opened
 * @fires {CustomEvent} sign-close - the panel was closed
 *
 * @slot idle - shown before the first announcement; default: an outline of a signer
 * @slot icon-play - in place of the icon for play, and one for each other icon: see docs/elements.md
 * @slot controls - buttons of the page, at the end of the control bar
 * @csspart box - the picture's box
 * @csspart video - each video, and the canvas over them that shows the keyed picture
 * @csspart idle - holds the idle slot
 * @csspart label - says on the picture that it is AI-generated
 * @csspart message - what went wrong, or that signs are coming
 * @csspart retry - the button beside the message, which tries again what failed
 * @csspart controls - the control bar
 * @csspart button - every button
 * @csspart start - the one button over the picture, while playback waits for the visitor
 * @csspart toggle - the button that plays and pauses
 * @csspart replay - the button that signs it again
 * @csspart speed - the choice of the speed
 * @csspart seek - the slider of the position, with the part `time` beside it
 * @csspart mute - the button for the sound, where there is any, with the slider `volume`
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
export class SignAnnouncement extends LazyElement<AnnouncementController> {
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(announcementWords.map((name) => [name, { attribute: attributeOf(name) }])),
    ...Object.fromEntries(announcementFlags.map((name) => [name, { ...flag, attribute: attributeOf(name) }])),
  };

  declare destination: string | null | undefined;
  declare timing: string | null | undefined;
  declare platform: string | null | undefined;
  declare operator: string | null | undefined;
  declare via: string | null | undefined;
  declare updatedTiming: string | null | undefined;
  declare updatedPlatform: string | null | undefined;
  declare disruptionReason: string | null | undefined;
  declare callingAt: string | null | undefined;
  declare notCallingAt: string | null | undefined;
  declare splitInfo: string | null | undefined;
  declare platformInfo: string | null | undefined;
  declare arrivalInfo: string | null | undefined;
  declare stopInfo: string | null | undefined;
  declare currentlyAt: string | null | undefined;
  declare waitsHere: string | null | undefined;
  declare exitSide: string | null | undefined;
  declare currentStation: string | null | undefined;
  declare operatorDelay: string | null | undefined;
  declare liftStatus: string | null | undefined;
  declare escalatorStatus: string | null | undefined;
  declare staticMessage: string | null | undefined;
  declare bgColour: string | null | undefined;
  declare cancelled: boolean | undefined;
  declare shortDelay: boolean | undefined;
  declare longDelay: boolean | undefined;
  declare noPlatform: boolean | undefined;
  declare busReplacement: boolean | undefined;

  /** The fields of the last call of `announce()`. */
  #lastFields: AnnouncementFields | undefined;

  protected override get needsController(): boolean {
    return Object.values(this.#fields).some((value) => value);
  }

  /**
   * Announces these fields; default: those that are set. Equal fields are played again. Resolves with
   * `{ requestId, url }` at the last frame. Rejects with a SignError, or with an AbortError after another announcement,
   * removal, or without a page. A rejection without a handler is silent.
   */
  announce(fields?: AnnouncementFields): Promise<AnnouncementOutcome> {
    const copy = (this.#lastFields = fields && { ...fields });
    const outcome = this.use((controller) => controller.announce(copy));
    outcome.catch(() => {});
    return outcome;
  }

  protected override async loadController(events: ControllerEvents): Promise<AnnouncementController> {
    const { AnnouncementController } = await import('./announcement-controller.ts');
    return new AnnouncementController(events, () => {
      const [{ proxy }, background] = [this, readBackground(this.background)];
      return this.isConnected ? { proxy, background, fields: this.#fields } : null;
    });
  }

  get #fields(): AnnouncementFields {
    const names = [...announcementWords, ...announcementFlags];
    // An empty platform means "unknown" and is sent; a false flag is left out.
    return Object.fromEntries(
      names.map((name) => [name, this[name] === false ? undefined : (this[name] ?? undefined)]),
    );
  }

  protected override tryAgain(): void {
    void this.announce(this.#lastFields);
  }

  protected override get fallbackSentence(): 'announcement' {
    return 'announcement';
  }
}

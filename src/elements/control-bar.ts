// The control bar, which is loaded with the attribute `controls`. It is below the video, because it would hide the hands.
// - `controls` without a value, or without a word that we know, shows the usual ones: all but `caption` and `pip`. Words choose
//   some.
// - Real buttons with names; a button shows what it will do. Mute and volume are there where there is sound.
// - Six speeds, and a button for the normal one (W3C MAUR, TSM-1 and TSM-4).
// - A click on the picture plays and pauses; the left and right arrow keys go 5 s back and forward.
// - Icons are our own drawings on a 24 by 24 grid, filled with the text colour. The page's buttons in the slot `controls` come
//   after ours; after them comes only the button for the normal speed. The Tab key follows the order on screen.
import { html, nothing, render, type TemplateResult } from 'lit';
import { addStyles } from '../internal/add-styles.ts';
import { barEn, type BarStrings } from '../strings/bar.ts';
import type { Strings } from '../strings/en.ts';
import { controlBarStyles } from './control-bar.styles.ts';
import { keepFocus } from './bar-focus.ts';
import { button, icon, playPath, toggleFullscreen } from './controls.ts';
import type { MediaElement } from './media-element.ts';

const playIcon = icon('play', playPath);
const pauseIcon = icon('pause', 'M6 4h4v16H6zM14 4h4v16h-4z');
const replayIcon = icon('replay', 'M12 4V0L6 5l6 5V6a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z');
const enterIcon = icon('fullscreen', 'M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z');
const exitIcon = icon(
  'exit-fullscreen',
  'M8 3h2v7H3V8h5zM14 3h2v5h5v2h-7zM3 14h7v7H8v-5H3zM14 14h7v2h-5v5h-2z',
);
const normalIcon = icon(
  'normal-speed',
  'M5 7.500 8.500 5H10v14H7.500V8.500L5 10zM13 11.500l1.500-1.500 2 2 2-2 1.500 1.500-2 2 2 2-1.500 1.500-2-2-2 2-1.500-1.500 2-2z',
);
const pipIcon = icon('pip', 'M2 4h20v8h-2V6H4v12h6v2H2zM12 14h10v6H12z');
const soundIcon = icon(
  'sound',
  'M3 9v6h4l5 5V4L7 9zM15 8.5v7a4 4 0 0 0 0-7zM15 3.500v2.100a7 7 0 0 1 0 12.800v2.100a9 9 0 0 0 0-17z',
);
const mutedIcon = icon(
  'muted',
  'M3 9v6h4l5 5V4L7 9zM15.500 8 14 9.500l2.500 2.500-2.500 2.500 1.500 1.500 2.500-2.500 2.500 2.500 1.500-1.500-2.500-2.500L22 9.500 20.500 8 18 10.500z',
);

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];
const ARROW_SECONDS = 5;
const WORDS = /^(play|stop|previous|next|seek|speed|caption|mute|pip|fullscreen|queue)$/;
/** The words that choose buttons which come with the first reading. */
const READING = ['previous', 'next', 'stop', 'queue', 'caption'];
/** A click on one of these is not a click on the picture. */
const PRESSED = 'a, button, input, select, textarea, label, [slot]';

/** The members of the element that its bar uses. */
interface BarHost extends MediaElement {
  readonly controls: boolean | string;
  readonly loop: boolean;
  /** Only a live player has it. */
  readonly streamType?: string;
  /** Only `<sign-translate>` has it. */
  readonly mode?: string;
  readonly for?: string | null | undefined;
  readonly placement: string;
}

export type HasControl = (word: string) => boolean;

export interface BarState {
  readonly strings: Strings;
  /** True when a text can be signed again. */
  readonly replayable: boolean;
  /** The element's own part beside play and pause; by default the button that signs the last text again. */
  readonly own?: ((has: HasControl) => unknown) | undefined;
  toggle(): void;
  replay(): void;
}

/** `1:05`; hours only where there are any. */
function clock(seconds: number): string {
  const whole = Math.floor(Number.isFinite(seconds) ? seconds : 0);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

type Sounding = HTMLVideoElement & {
  readonly webkitAudioDecodedByteCount?: number;
  readonly mozHasAudio?: boolean;
  readonly audioTracks?: { readonly length: number };
};

/** There is no standard property for this; each browser engine has one of its own. */
function hasSound(media: Sounding | null): boolean {
  return Boolean(
    media && (media.webkitAudioDecodedByteCount || media.mozHasAudio || media.audioTracks?.length),
  );
}

/** Ends the listeners of the bar that an element had in another document. */
const listening = new WeakMap<BarHost, AbortController>();
/** Seconds in thousandths: Chromium rounds a position of sixteen digits, and one above the end would be invalid. */
const rounded = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);

export class ControlBar {
  readonly #host: BarHost;
  #toggle = (): void => {};
  #has: HasControl = () => false;
  #texts: BarStrings = barEn;
  #hadSound = false;
  readonly #seek = document.createElement('div');

  constructor(host: BarHost) {
    this.#host = host;
    this.#seek.className = 'seek';
    const root = host.shadowRoot!;
    addStyles(root, controlBarStyles);
    listening.get(host)?.abort();
    const controller = new AbortController();
    listening.set(host, controller);
    const { signal } = controller;
    root.addEventListener('click', (event) => this.#onClick(event as MouseEvent), { signal });
    host.addEventListener('keydown', (event) => this.#onKey(event), { signal });
    for (const type of ['timeupdate', 'durationchange', 'seeked', 'emptied', 'ended'])
      host.addEventListener(type, () => this.#onTime(), { signal });
  }

  view({ strings, replayable, own, toggle, replay }: BarState): TemplateResult {
    const host = this.#host;
    const texts = (this.#texts = { ...barEn, ...strings.bar });
    keepFocus(host);
    const { controls, paused, playbackRate, media } = host;
    const words = String(controls)
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => WORDS.test(word));
    const has = (this.#has = (word) =>
      words.length > 0 ? words.includes(word) : word !== 'caption' && word !== 'pip');
    this.#toggle = toggle;
    this.#hadSound = hasSound(media);
    const hasSeek = has('seek') && this.#isTimed;
    if (hasSeek) this.#drawSeek();
    // A page may set any speed.
    const speeds = [...new Set([...SPEEDS, playbackRate])].sort((a, b) => a - b);
    const isFullscreen = host.matches(':fullscreen');
    // The replay button, which is shown before a reading, has the place of the button `report`.
    const coming = host.for && host.placement !== 'inline' ? READING.filter(has) : [];
    if (coming.length > 0 && !has('play')) coming.push('report');
    const replayAndRoom = (): unknown => [
      has('play') ? button('replay', strings.replay, replayIcon, replay, !replayable) : nothing,
      coming.map((word) => html`<span class="room ${word}"></span>`),
    ];
    return html`
      ${hasSeek ? this.#seek : nothing}
      ${has('play') ? button('toggle', paused ? strings.play : strings.pause, paused ? playIcon : pauseIcon, toggle) : nothing}
      ${own?.(has) ?? replayAndRoom()} ${has('mute') && this.#hadSound ? this.#sound(texts) : nothing}
      ${has('pip') && document.pictureInPictureEnabled ? this.#pip(texts) : nothing}
      ${
        has('speed')
          ? html`<select
              part="button speed"
              aria-label=${strings.speed}
              title=${strings.speed}
              @change=${this.#onSpeed}
            >
              ${speeds.map(
                (speed) =>
                  html`<option value=${speed} .selected=${speed === playbackRate}>${speed}×</option>`,
              )}
            </select>`
          : nothing
      }
      ${
        has('fullscreen')
          ? button(
              'fullscreen',
              isFullscreen ? strings.exitFullscreen : strings.fullscreen,
              isFullscreen ? exitIcon : enterIcon,
              () => void toggleFullscreen(host),
            )
          : nothing
      }
      <slot name="controls"></slot>
      ${
        has('speed') && playbackRate !== 1
          ? button('reset', texts.normalSpeed, normalIcon, () => this.#onReset())
          : nothing
      }
    `;
  }

  /** False for media without an end or without a timeline: a visitor cannot seek in it. */
  get #isTimed(): boolean {
    const { localName, streamType, mode } = this.#host;
    return localName !== 'sign-silence-loop' && streamType !== 'live' && mode !== 'stream';
  }

  /** Draws only the line of the position anew, because nothing else of the element changes with each `timeupdate`. */
  #drawSeek(): void {
    const { max, value, text } = this.#time;
    const line = html`<input
        type="range"
        part="seek"
        min="0"
        step="any"
        .max=${max}
        aria-label=${this.#texts.seek}
        aria-valuetext=${text}
        ?disabled=${max === '0'}
        @input=${this.#onSeek}
      />
      <span part="time" aria-hidden="true">${text}</span>`;
    render(line, this.#seek);
    const input = this.#seek.firstElementChild as HTMLInputElement;
    // While the visitor holds the thumb, playback does not move it.
    if (!input.matches(':active')) input.value = value;
  }

  get #time(): { max: string; value: string; text: string } {
    const { currentTime, duration } = this.#host;
    const length = Number.isFinite(duration) ? duration : 0;
    const at = Math.min(currentTime, length);
    return { max: rounded(length), value: rounded(at), text: `${clock(at)} / ${clock(length)}` };
  }

  #sound({ mute, unmute, volume }: BarStrings): TemplateResult {
    const host = this.#host;
    const isSilent = host.muted || host.volume === 0;
    const toggle = (): void => {
      if (isSilent && host.volume === 0) host.volume = 1;
      host.muted = !isSilent;
    };
    const change = ({ target }: Event): void => {
      host.volume = Number((target as HTMLInputElement).value);
      host.muted = host.volume === 0;
    };
    return html`${button('mute', isSilent ? unmute : mute, isSilent ? mutedIcon : soundIcon, toggle)}
      <input
        type="range"
        part="volume"
        class="volume"
        min="0"
        max="1"
        step="0.05"
        .value=${String(host.muted ? 0 : host.volume)}
        aria-label=${volume}
        @input=${change}
      />`;
  }

  #pip({ pip, exitPip }: BarStrings): TemplateResult {
    const host = this.#host;
    const isInWindow = Boolean(host.shadowRoot!.pictureInPictureElement);
    const toggle = (): void => {
      // When it is refused, nothing changes on screen.
      (isInWindow ? document.exitPictureInPicture() : host.requestPictureInPicture()).catch(() => {});
    };
    return button('pip', isInWindow ? exitPip : pip, pipIcon, toggle, !host.media);
  }

  readonly #onSpeed = ({ target }: Event): void => {
    this.#host.playbackRate = Number((target as HTMLSelectElement).value);
  };

  /** The button disappears when it is pressed; the focus goes to the choice beside it. */
  #onReset(): void {
    this.#host.playbackRate = 1;
    this.#host.shadowRoot!.querySelector<HTMLElement>('select')!.focus();
  }

  readonly #onSeek = ({ target }: Event): void => {
    this.#host.currentTime = Number((target as HTMLInputElement).value);
  };

  #onTime(): void {
    if (hasSound(this.#host.media) !== this.#hadSound) this.#host.requestUpdate();
    if (!this.#seek.isConnected) return;
    keepFocus(this.#host);
    this.#drawSeek();
  }

  #onClick(event: MouseEvent): void {
    const path = event.composedPath();
    const isOnPicture = path.some((node) => (node as Partial<Element>).classList?.contains('box'));
    const { media, slot } = this.#host;
    if (!isOnPicture || !media || slot === 'media' || !this.#has('play') || event.defaultPrevented) return;
    if (path.some((node) => node instanceof Element && node !== this.#host && node.matches(PRESSED))) return;
    this.#toggle();
  }

  #onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (!step || event.defaultPrevented || event.target !== this.#host) return;
    if (!this.#has('seek') || !this.#isTimed) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [on] = event.composedPath();
    if (on instanceof HTMLInputElement || on instanceof HTMLSelectElement) return;
    const { currentTime, duration } = this.#host;
    if (!(duration > 0)) return;
    event.preventDefault();
    this.#host.currentTime = Math.min(duration, Math.max(0, currentTime + step * ARROW_SECONDS));
  }
}

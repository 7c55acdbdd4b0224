// The control bar below the picture (never over it, where hands are). Policy: real buttons with names; a button shows
// what it will do; speed goes round the steps that signers ask for and back to normal.
import { html, type TemplateResult } from 'lit';
import type { Strings } from '../strings/en.ts';
import { fullscreenIcon, pauseIcon, playIcon, replayIcon } from './icons.ts';

const SPEEDS = [1, 1.25, 1.5, 2, 0.5, 0.75];

export interface Controls {
  readonly strings: Strings;
  readonly paused: boolean;
  /** There is a text that can be signed again. */
  readonly replayable: boolean;
  readonly speed: number;
  toggle(): void;
  replay(): void;
  setSpeed(speed: number): void;
  fullscreen(): void;
}

/** One of the bar. */
export function button(
  part: string,
  label: string,
  face: unknown,
  press: () => void,
  disabled = false,
): TemplateResult {
  return html`<button
    type="button"
    part="button ${part}"
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    @click=${press}
  >
    ${face}
  </button>`;
}

/** `own`, beside play and pause, is what an element has of its own there; by default it signs the last text again. */
export function controlBar(
  controls: Controls,
  own: unknown = button('replay', controls.strings.replay, replayIcon, controls.replay, !controls.replayable),
): TemplateResult {
  const { strings, paused, speed } = controls;
  const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
  return html`<div part="controls" class="controls" role="group">
    ${button('toggle', paused ? strings.play : strings.pause, paused ? playIcon : pauseIcon, controls.toggle)}
    ${own} ${button('speed', `${strings.speed} ${speed}×`, `${speed}×`, () => controls.setSpeed(next))}
    ${button('fullscreen', strings.fullscreen, fullscreenIcon, controls.fullscreen)}
  </div>`;
}

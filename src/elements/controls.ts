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

export function controlBar(controls: Controls): TemplateResult {
  const { strings, paused, replayable, speed } = controls;
  const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
  const toggle = paused ? strings.play : strings.pause;
  return html`<div part="controls" class="controls" role="group">
    <button type="button" part="button toggle" aria-label=${toggle} title=${toggle} @click=${controls.toggle}>
      ${paused ? playIcon : pauseIcon}
    </button>
    <button
      type="button"
      part="button replay"
      aria-label=${strings.replay}
      title=${strings.replay}
      ?disabled=${!replayable}
      @click=${controls.replay}
    >
      ${replayIcon}
    </button>
    <button
      type="button"
      part="button speed"
      aria-label="${strings.speed} ${speed}×"
      title=${strings.speed}
      @click=${() => controls.setSpeed(next)}
    >
      ${speed}×
    </button>
    <button
      type="button"
      part="button fullscreen"
      aria-label=${strings.fullscreen}
      title=${strings.fullscreen}
      @click=${controls.fullscreen}
    >
      ${fullscreenIcon}
    </button>
  </div>`;
}

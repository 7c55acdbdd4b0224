// What a page sets for all its elements, before or after they are defined.
import { pageSettings, type PageSettings } from '../internal/page-settings.ts';
import type { HlsOptions } from '../playback/live/hls-engine.ts';
import type { OwnStrings } from '../strings/en.ts';
import { setStrings } from '../strings/strings.ts';

export interface Configuration extends Readonly<PageSettings> {
  /**
   * Options of hls.js for streams that start from then on, `xhrSetup`, `loader` or `cmcd` for example. Latency, stalls and the
   * position at the start are ours.
   */
  readonly hls?: HlsOptions | undefined;
  /** Interface texts in place of ours, by language: `{ en: { play: 'Start', reading: { stop: 'End' } } }`. */
  readonly strings?: OwnStrings | undefined;
}

/** Sets the given settings and leaves the others. A setting that is given as undefined is reset, except `strings`. */
export function configure({ strings, ...settings }: Configuration): void {
  Object.assign(pageSettings, settings);
  if (strings) setStrings(strings);
}

// English interface texts that load with the page, and the type of all texts there are (`Strings`).
// - Plain words and short sentences: many who read them read English as a second language.
// - It is called AI-generated signing, never an interpreter.
// - The file of another language holds the texts of `bar.ts`, `errors.ts`, `live.ts`, `reading.ts` and `wait.ts` too.
import type { BarStrings } from './bar.ts';
import type { ErrorStrings } from './errors.ts';
import type { LiveStrings } from './live.ts';
import type { ReadingStrings } from './reading.ts';
import type { WaitStrings } from './wait.ts';

export const en = {
  /** Primary language of these texts. */
  lang: 'en',
  label: 'Sign language video (AI-generated)',
  generated: 'AI-generated',
  play: 'Play',
  pause: 'Pause',
  replay: 'Sign it again',
  speed: 'Speed',
  fullscreen: 'Full screen',
  exitFullscreen: 'Leave full screen',
  signPage: 'Sign this text',
  preparing: 'The signs are coming…',
  reconnecting: 'Connecting again…',
  retry: 'Try again',
  errorLoad: 'A part of this page did not load. Check your connection and try again.',
};

export type Strings = typeof en & {
  /** A text that is missing in a group is shown in English. */
  readonly bar?: Partial<BarStrings>;
  readonly errors?: Partial<ErrorStrings>;
  readonly live?: Partial<LiveStrings>;
  readonly reading?: Partial<ReadingStrings>;
  readonly wait?: Partial<WaitStrings>;
  /** The page's own texts of the panel's buttons; ours are in `panel-strings.ts`. */
  readonly panel?: Readonly<Record<string, string>>;
};

/** Each text, also of the groups `bar`, `errors`, `live`, `reading` and `wait`, may be left out. */
type Some<Texts> = { readonly [Key in keyof Texts]?: Some<Texts[Key]> };

/** A page's own texts in place of ours, by primary language (`en`, `cy`). For a language that we do not have, give all. */
export type OwnStrings = Readonly<Record<string, Some<Omit<Strings, 'lang'>>>>;

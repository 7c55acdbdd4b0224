// Says how long a visitor waits after the service has asked for a pause.
// - The seconds that are left are shown; only the first sentence is spoken, so that a screen reader does not count. A notice that
//   is not shown, because another one has replaced it, does nothing.
// - The time is taken from `performance.now()`, because the clock of the system may be set meanwhile.
import type { Strings } from '../strings/en.ts';
import { waitEn } from '../strings/wait.ts';
import type { Message } from './controls.ts';

export class WaitNotice {
  #end: number;
  readonly #seconds: number;
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param changed is called now, each second while the message is asked for, and at the end */
  constructor(seconds: number, changed: () => void) {
    this.#seconds = seconds;
    this.#changed = changed;
    this.#end = performance.now() + seconds * 1000;
    changed();
  }

  /** Ends the wait. */
  close(): void {
    this.#end = 0;
  }

  /** Null when the wait is over. */
  message(strings: Strings): Message | null {
    const left = Math.ceil((this.#end - performance.now()) / 1000);
    if (left <= 0) return null;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed();
    }, 1000);
    return { text: sentence(strings, left), spoken: sentence(strings, this.#seconds), soft: false };
  }
}

function sentence({ lang, wait }: Strings, seconds: number): string {
  const units = { second: 1, minute: 60, hour: 3600, day: 86_400 };
  // The smallest unit of which there are fewer than a hundred.
  const [unit, length] = Object.entries(units).find((one) => seconds < one[1] * 100) ?? ['day', units.day];
  const number = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' });
  const time = number.format(Math.ceil(seconds / length));
  return { ...waitEn, ...wait }.busy.replace('{time}', time);
}

// Decides what is signed and when, by the source's clock: the source's captions, or, without captions, a sentence every 5 s that
// names the source's time (there is no speech recognition).
// - A caption is signed when it is shown. It is signed faster when the signing would last longer than the caption.
// - A caption that is over before it could begin is left out.
// - A caption that comes twice, for example in two files, is signed once.
// - When the clock jumps back, all waiting captions are dropped. When it jumps ahead, the captions that it jumps over are dropped.
import { FRAMES_PER_SECOND, type Script, scriptOf } from '../../painter/script.ts';

const MARK_EVERY = 5;
/** While this many captions wait, no more are fetched. */
const ENOUGH = 100;
const MOST_REMEMBERED = 10_000;

/** A caption; seconds on the source's clock. */
export interface Cue {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A picture of the source, on both clocks. */
export interface Moment {
  /** Time on the source's clock. */
  readonly seconds: number;
  /** When it is shown, milliseconds since 1970. */
  readonly due: number;
}

/** `source time 01:05`, of seconds since the source's first picture. */
function mark(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `source time ${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

function scriptOfCue({ from, to, text }: Cue, framesPerWord?: number): Script {
  const script = scriptOf(text, null, framesPerWord);
  return script.gloss.frames / FRAMES_PER_SECOND <= to - from ? script : scriptOf(text, to - from);
}

const keyOf = ({ from, text }: Cue): string => `${from} ${text}`;

export class Sentences {
  readonly #framesPerWord: number | undefined;
  /** Sorted by their beginnings; null while the source has no captions. */
  #cues: Cue[] | null = null;
  /** Keys of the captions that were added, so that none is added twice. */
  readonly #known = new Set<string>();
  #first: number | null = null;
  /** When the first picture of the present clock is shown. */
  #begin = 0;
  /** The second that was shown last. */
  #last: number | null = null;
  #nextMark = 0;

  /** @param framesPerWord pace of what is signed, default 11 */
  constructor(framesPerWord?: number) {
    this.#framesPerWord = framesPerWord;
  }

  /** The note in the picture that says where the sentences come from. */
  get note(): string {
    return this.#cues ? 'signed: captions of the source' : 'signed: source time, no speech recognition';
  }

  /** Whether more captions can be taken. */
  get hasRoom(): boolean {
    return (this.#cues?.length ?? 0) < ENOUGH;
  }

  /** Adds captions; an empty list says that the source has captions. */
  add(cues: readonly Cue[]): void {
    const fresh = cues.filter((cue) => !this.#known.has(keyOf(cue)));
    if (this.#known.size > MOST_REMEMBERED) this.#known.clear();
    for (const cue of fresh) this.#known.add(keyOf(cue));
    this.#cues = [...(this.#cues ?? []), ...fresh].sort((a, b) => a.from - b.from);
  }

  /**
   * The source's clock began anew with this picture, or it is the first picture. Pictures that are shown before this one are of
   * the old clock, and no more texts begin with them.
   */
  restart({ seconds, due }: Moment): void {
    this.#begin = due;
    this.#first = null;
    this.#nextMark = 0;
    const [cues, last] = [this.#cues, this.#last];
    if (!cues || last === null) return;
    this.#cues = seconds < last ? [] : cues.filter(({ from }) => from >= seconds);
    // On the new clock the same caption may come again at the same second.
    if (seconds < last) this.#known.clear();
  }

  /** The texts that begin with the picture that is shown now; each is returned once. */
  due({ seconds, due }: Moment): Script[] {
    if (due < this.#begin) return [];
    this.#last = seconds;
    return this.#cues ? this.#dueCues(this.#cues, seconds) : this.#dueMarks(seconds);
  }

  #dueCues(cues: Cue[], seconds: number): Script[] {
    const count = cues.findIndex(({ from }) => from > seconds);
    const due = cues.splice(0, count < 0 ? cues.length : count);
    return due.filter(({ to }) => to > seconds).map((cue) => scriptOfCue(cue, this.#framesPerWord));
  }

  #dueMarks(seconds: number): Script[] {
    this.#first ??= seconds;
    const passed = seconds - this.#first;
    if (passed < this.#nextMark) return [];
    // After a gap only the newest mark is signed, because it names the time that is shown.
    const newest = Math.floor(passed / MARK_EVERY) * MARK_EVERY;
    this.#nextMark = newest + MARK_EVERY;
    return [scriptOf(mark(newest), null, this.#framesPerWord)];
  }
}

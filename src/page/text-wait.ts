// Tells whether the parts of a page that have lost all their text may get other text soon.
// - Routers and frameworks that load data empty a part in one task and fill it in a later one: 3 s are left for that.

const WAIT_MS = 3000;

export class TextWait {
  readonly #ended: () => void;
  #timer = 0;
  #isOver = false;

  /** @param ended is called when no text came in time; `isOn` is then false until text has come */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** True while it is worth waiting. Text ends the wait. */
  isOn(isEmpty: boolean): boolean {
    if (isEmpty && !this.#isOver) {
      this.#timer ||= window.setTimeout(() => {
        this.#isOver = true;
        this.#ended();
      }, WAIT_MS);
      return true;
    }
    this.close();
    return false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isOver = false;
  }
}

// The time that a reading takes from the page at once: slices of 4 ms, between which the page does its own work, and V8 frees
// memory.
const SLICE_MS = 4;

/** Resolves in a later task. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export class Slices {
  #end = 0;

  begin(): void {
    this.#end = performance.now() + SLICE_MS;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Begins another slice in a later task. */
  async next(): Promise<void> {
    await pause();
    this.begin();
  }
}

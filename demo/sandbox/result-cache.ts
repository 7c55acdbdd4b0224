// Values that are kept by id until they expire: results that can still be fetched (document 3, result.fetch) and jobs that can
// be polled (document 2).
// - At most 10,000 are kept; the oldest is removed first.

const MAX_ENTRIES = 10_000;

interface Entry<T> {
  readonly value: T;
  readonly expires: number;
}

export class ResultCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /** @param expires milliseconds, on the same clock as `now` below */
  put(id: string, value: T, expires: number): void {
    this.#entries.delete(id);
    this.#entries.set(id, { value, expires });
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > MAX_ENTRIES && !oldest.done) this.#entries.delete(oldest.value);
  }

  /** The value of this id; null when it has expired or was never there. */
  get(id: string, now: number): T | null {
    const entry = this.#entries.get(id);
    if (!entry) return null;
    if (now < entry.expires) return entry.value;
    this.#entries.delete(id);
    return null;
  }
}

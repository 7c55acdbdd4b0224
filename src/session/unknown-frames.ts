// Frames of a type that this protocol version does not name. Policy: ignored (document 3, Versioning: shapes may change),
// with one line on the console for each type, and for no more than 16 of them.

const WARNED_TYPES = 16;

export class UnknownFrames {
  readonly #types = new Set<string>();

  heard(type: string): void {
    if (this.#types.has(type) || this.#types.size >= WARNED_TYPES) return;
    this.#types.add(type);
    console.warn(
      `sign-elements: frames of an unknown type are ignored: ${JSON.stringify(type.slice(0, 64))}`,
    );
  }
}

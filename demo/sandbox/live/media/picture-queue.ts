// The decoded pictures that wait to be shown.
// - When several pictures are due, the newest is shown and the others are dropped, so that a late one never delays the next.
// - The last picture stays until there is another.
// - A picture that is due no later than earlier ones replaces them, because its clock was set forward.
// - At most 90 pictures (1.5 s at 60 a second) and 128 MB of them (41 of 1920x1080) wait; then the oldest is dropped.

const MOST_WAITING = 90;
const MOST_BYTES = 128_000_000;

interface QueuedPicture<Content> {
  /** Time on the source's clock. */
  readonly seconds: number;
  /** When it is to be shown, milliseconds since 1970. */
  readonly due: number;
  /** Bytes of memory that the content takes. */
  readonly bytes: number;
  readonly content: Content;
}

export class PictureQueue<Content> {
  readonly #free: (content: Content) => void;
  readonly #waiting: QueuedPicture<Content>[] = [];
  /** Memory of the waiting pictures. */
  #bytes = 0;
  #shown: QueuedPicture<Content> | null = null;
  #dropped = 0;

  /** @param free called once with each content that is not shown any more */
  constructor(free: (content: Content) => void) {
    this.#free = free;
  }

  /** When the newest is to be shown; null when none waits. */
  get newestDue(): number | null {
    return this.#waiting.at(-1)?.due ?? null;
  }

  /** Pictures that were never shown. */
  get dropped(): number {
    return this.#dropped;
  }

  add(picture: QueuedPicture<Content>): void {
    while (this.#waiting.length > 0 && this.#waiting.at(-1)!.due >= picture.due) {
      this.#drop(this.#taken(this.#waiting.pop()!));
    }
    this.#waiting.push(picture);
    this.#bytes += picture.bytes;
    while (this.#isFull) this.#drop(this.#taken(this.#waiting.shift()!));
  }

  /** The picture that is shown at `time`; null before the first one. */
  at(time: number): QueuedPicture<Content> | null {
    for (;;) {
      const next = this.#waiting[0];
      if (!next || (this.#shown && next.due > time)) return this.#shown;
      this.#taken(this.#waiting.shift()!);
      const after = this.#waiting[0];
      if (after && after.due <= time) this.#drop(next);
      else {
        if (this.#shown) this.#free(this.#shown.content);
        this.#shown = next;
      }
    }
  }

  /** Drops the waiting pictures. */
  clear(): void {
    for (const picture of this.#waiting.splice(0)) this.#drop(this.#taken(picture));
  }

  /** The newest picture is kept, however large it is. */
  get #isFull(): boolean {
    const { length } = this.#waiting;
    return length > MOST_WAITING || (length > 1 && this.#bytes > MOST_BYTES);
  }

  /** Subtracts the memory of a picture that waits no more. */
  #taken(picture: QueuedPicture<Content>): QueuedPicture<Content> {
    this.#bytes -= picture.bytes;
    return picture;
  }

  #drop({ content }: QueuedPicture<Content>): void {
    this.#dropped += 1;
    this.#free(content);
  }
}

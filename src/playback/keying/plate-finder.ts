// Keeps to the plate of the video that is keyed. Policy: it is looked for at once in each video and then four times a second,
// because clips of another signer, with another plate, may follow in the same one; a look costs a picture of 64 x 36 pixels
// by a 2D canvas, since reading back from WebGL stalls it. What stands before a plate for less than a second takes
// nothing away from it.
import { LOOK, plateIn, type Plate } from './plate.ts';

const EVERY_MS = 250;
const MISSES = 4;

export class PlateFinder {
  readonly #context = Object.assign(document.createElement('canvas'), LOOK).getContext('2d', {
    willReadFrequently: true,
  });
  #plate: Plate | null = null;
  #misses = 0;
  #at = 0;

  /** Null while there is none. */
  get plate(): Plate | null {
    return this.#plate;
  }

  /** Another video is keyed. */
  forget(): void {
    this.#plate = null;
    this.#at = 0;
  }

  /** The next frame is looked at, whenever the last look was. */
  hurry(): void {
    this.#at = 0;
  }

  /** @param now milliseconds of performance.now() */
  isDue(now: number): boolean {
    return now >= this.#at;
  }

  /**
   * @param video one that may be read
   * @returns false when it has no picture yet
   */
  look(video: HTMLVideoElement, now: number): boolean {
    const { width, height } = LOOK;
    this.#context?.clearRect(0, 0, width, height);
    this.#context?.drawImage(video, 0, 0, width, height);
    const pixels = this.#context?.getImageData(0, 0, width, height).data;
    if (!pixels?.[3]) return false;
    this.#at = now + EVERY_MS;
    const plate = plateIn(pixels);
    this.#misses = plate ? 0 : this.#misses + 1;
    if (plate || this.#misses >= MISSES) this.#plate = plate;
    return true;
  }
}

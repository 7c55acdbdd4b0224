// The picture-in-picture composite (document 2, Picture-in-picture output properties): the source's picture, and on it the
// signer at the bottom right without a backplate.
// Policy: the signer's square is 20 % of the frame by area, flush to the bottom edge, 2.5 % of the width away from the side.
// Between sentences its last frame stays. The strip of the stamp runs over the whole frame and says what the signer does;
// SANDBOX stands beside the signer, and at the bottom left where the sentences come from.
import type { Frame } from 'node-av/lib';
import type { FrameSize } from '../../media/media-spec.ts';
import { blankPicture, colour, fillRect, type Picture, type Rect } from '../../painter/picture.ts';
import { ScenePainter } from '../../painter/scene-painter.ts';
import { idleScript, type Script } from '../../painter/script.ts';
import type { SignerName } from '../../painter/figure.ts';
import { textWidth, writeLine } from '../../painter/text.ts';
import { ownBackplate } from '../../painter/render-style.ts';
import { paintStamp, stampHeight } from '../../stamp.ts';
import { blend } from './blend.ts';
import { even } from './chroma-grid.ts';
import { FittedPicture } from './fitted-picture.ts';

const SIGNER_AREA = 0.2;
const SIDE_INSET = 0.025;
const ink = { note: 235, ground: colour('#20242a'), stamp: colour('#000000') };
/** In units of which the frame's height is 720. */
const NOTE = { size: 24, height: 40, pad: 14, inset: 18 };

/** Where the signer is; a square on the chroma grid. */
export function signerRect({ width, height }: FrameSize): Rect {
  const side = Math.min(even(Math.sqrt(width * height * SIGNER_AREA)), height, width);
  const right = Math.max(side, width - even(width * SIDE_INSET));
  return { left: right - side, top: height - side, right, bottom: height };
}

export class CompositePainter {
  readonly #hasStamp: boolean;
  readonly #area: Rect;
  readonly #signer: Picture;
  readonly #painter: ScenePainter;
  readonly #source = new FittedPicture();
  /** What is signed, or was last. */
  #held: { readonly script: Script; readonly frame: number } = { script: idleScript, frame: 0 };

  /** @param stamp whether frames have the stamp */
  constructor(signer: SignerName, size: FrameSize, stamp: boolean) {
    this.#hasStamp = stamp;
    this.#area = signerRect(size);
    const side = this.#area.right - this.#area.left;
    const style = {
      ...ownBackplate(signer, { width: side, height: side }),
      backdrop: 'transparent',
      wordPanel: false,
    };
    this.#signer = blankPicture(side, side, true);
    this.#painter = new ScenePainter(style);
  }

  /**
   * Paints one frame.
   * @param source null while there is none: black
   * @param note where the sentences come from, in a few words
   */
  paint(picture: Picture, source: Frame | null, script: Script, frame: number, note: string): void {
    if (script !== idleScript) this.#held = { script, frame };
    const held = this.#held;
    const { width, height } = picture;
    if (source) this.#source.paint(picture, source);
    else fillRect(picture, { left: 0, top: 0, right: width, bottom: height }, ink.stamp);
    this.#painter.paint(this.#signer, held.script, held.frame);
    blend(this.#signer, picture, this.#area);
    this.#writeNote(picture, note);
    if (!this.#hasStamp) return;
    fillRect(picture, { left: 0, top: 0, right: width, bottom: stampHeight(height) }, ink.stamp);
    paintStamp(picture.y, picture.strideY, picture, { clip: held.script.clip, frame: held.frame });
  }

  close(): void {
    this.#source.close();
  }

  #writeNote(picture: Picture, note: string): void {
    const unit = picture.height / 720;
    const size = Math.max(8, Math.round(NOTE.size * unit));
    const left = even(NOTE.inset * unit);
    const bottom = picture.height - left;
    const pad = NOTE.pad * unit;
    const tall = Math.max(size * 1.6, NOTE.height * unit);
    const right = left + textWidth(note, size) + 2 * pad;
    fillRect(picture, { left, top: bottom - tall, right, bottom }, ink.ground);
    const baseline = Math.round(bottom - tall / 2 + size * 0.35);
    writeLine(picture, note, { x: left + pad, baseline, size, luma: ink.note });
  }
}

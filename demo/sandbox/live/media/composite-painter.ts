// Paints the picture-in-picture composite: the source's picture with the signer at the bottom right, without a
// backplate (document 2, Picture-in-picture output properties).
// - The signer's square is 20 % of the frame by area, at the bottom edge, 2.5 % of the width away from the right
//   edge.
// - Between sentences the signer's last frame stays in the picture.
// - The stamp spans the whole frame and describes what the signer does.
// - The word SANDBOX is beside the signer. The note at the bottom left says where the sentences come from.
// - Colours are not multiplied by alpha; a sample of chroma gets the mean alpha of its four pixels.
import type { Frame } from 'node-av/lib';
import type { FrameSize } from '../../media/media-spec.ts';
import type { SignerName } from '../../painter/figure.ts';
import {
  black,
  blankPicture,
  colour,
  fillRect,
  wholeOf,
  type Picture,
  type Rect,
} from '../../painter/picture.ts';
import { ownBackplate } from '../../painter/render-style.ts';
import { ScenePainter } from '../../painter/scene-painter.ts';
import { idleScript, type Script } from '../../painter/script.ts';
import { textWidth, writeLine } from '../../painter/text.ts';
import { paintStamp, stampHeight } from '../../stamp.ts';
import { even, FittedPicture } from './fitted-picture.ts';

const mixed = (under: number, over: number, alpha: number): number =>
  under + ((over - under) * alpha + 127) / 255;

function blendLuma(from: Picture, alpha: Uint8Array, to: Picture, { left, top }: Rect): void {
  const { width, height, strideY } = from;
  const strideA = from.strideA ?? width;
  for (let row = 0; row < height; row++) {
    const target = (top + row) * to.strideY + left;
    for (let x = 0; x < width; x++) {
      const a = alpha[row * strideA + x]!;
      if (a === 0) continue;
      const over = from.y[row * strideY + x]!;
      to.y[target + x] = a === 255 ? over : mixed(to.y[target + x]!, over, a);
    }
  }
}

function blendChroma(from: Picture, alpha: Uint8Array, to: Picture, { left, top }: Rect): void {
  const { width, height, strideC } = from;
  const strideA = from.strideA ?? width;
  for (let row = 0; row < height / 2; row++) {
    const target = (top / 2 + row) * to.strideC + left / 2;
    const source = row * strideC;
    for (let x = 0; x < width / 2; x++) {
      const at = 2 * row * strideA + 2 * x;
      const a = (alpha[at]! + alpha[at + 1]! + alpha[at + strideA]! + alpha[at + strideA + 1]!) / 4;
      if (a === 0) continue;
      to.u[target + x] = mixed(to.u[target + x]!, from.u[source + x]!, a);
      to.v[target + x] = mixed(to.v[target + x]!, from.v[source + x]!, a);
    }
  }
}

/**
 * @param from a picture of the area's size, with an alpha plane
 * @param area where it goes, on the chroma grid and within `to`
 */
function blend(from: Picture, to: Picture, area: Rect): void {
  if (!from.a) throw new TypeError('the picture has no alpha plane');
  blendLuma(from, from.a, to, area);
  blendChroma(from, from.a, to, area);
}

const SIGNER_AREA = 0.2;
const SIDE_INSET = 0.025;
const ink = { note: 235, ground: colour('#20242a') };
/** In 720ths of the frame's height. */
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
  /** What is signed now, or was signed last. */
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
   * @param source null while there is no picture: the frame is then black
   * @param note where the sentences come from, in a few words
   */
  paint(picture: Picture, source: Frame | null, script: Script, frame: number, note: string): void {
    if (script !== idleScript) this.#held = { script, frame };
    const held = this.#held;
    if (source) this.#source.paint(picture, source);
    else fillRect(picture, wholeOf(picture), black);
    this.#painter.paint(this.#signer, held.script, held.frame);
    blend(this.#signer, picture, this.#area);
    this.#writeNote(picture, note);
    if (!this.#hasStamp) return;
    fillRect(picture, { ...wholeOf(picture), bottom: stampHeight(picture.height) }, black);
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

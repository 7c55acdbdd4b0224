// Paints the frames of scripts into pictures that keep what was last painted into them.
// Policy: what stands still is painted once for a look and copied back from there; a frame pays for the arms, eyes and
// mouth if they moved, for texts if they changed, and for its stamp. So a frame painted over any other is the frame painted
// afresh, byte for byte.
import { paintStamp } from '../stamp.ts';
import { armsOf } from './arms.ts';
import { Caption } from './caption.ts';
import { lidLimbs, mouthShapes } from './face.ts';
import { FRINGE, paintFringe } from './fringe.ts';
import { wordsOver } from './gloss.ts';
import { layoutOf, type Layout } from './layout.ts';
import { boundsOfLimbs, paintLimb } from './limb.ts';
import type { LogoPixels } from './logo.ts';
import type { Look } from './look.ts';
import { motionOf, type Motion } from './motion.ts';
import type { Pose } from './pose.ts';
import { copyRect, unionOf, wholeOf, type Picture, type Rect } from './picture.ts';
import { boundsOf, fillPolygon } from './polygon.ts';
import { paintScene } from './scene.ts';
import type { Script } from './script.ts';
import { signerLooks, type SignerLook } from './signer-look.ts';
import { Subtitles } from './subtitles.ts';

/** What follows from a script, kept while it is painted. */
interface Play {
  readonly script: Script;
  readonly motion: Motion;
  readonly caption: Caption | null;
  readonly subtitles: Subtitles | null;
}

/** What a picture shows. */
interface Shown {
  readonly play: Play;
  readonly pose: Pose;
  readonly lids: number;
  /** The pixels of the last limbs and mouth. */
  readonly moving: Rect;
  /** Words that are over, and whether one more is being signed. */
  readonly over: number;
  readonly isSigning: boolean;
}

/** What a look does not say. */
export interface SceneParts {
  readonly logo?: LogoPixels | null;
  /** Whether frames have the stamp. Default false. */
  readonly stamp?: boolean;
}

/** One painter for one look: any sequence of scripts and frames, into any pictures that no one else paints into. */
export class ScenePainter {
  readonly #isTransparent: boolean;
  readonly #hasStamp: boolean;
  readonly #signer: SignerLook;
  readonly #layout: Layout;
  readonly #scene: Picture;
  /** Where texts are, and the row at which they begin. */
  readonly #texts: Rect | null;
  readonly #floor: number;
  readonly #shown = new WeakMap<Picture, Shown>();
  #play: Play | null = null;

  /** @param logo pixels of the look's logo; without them there is none */
  constructor(look: Look, { logo = null, stamp = false }: SceneParts = {}) {
    this.#hasStamp = stamp;
    this.#isTransparent = look.backdrop === 'transparent';
    this.#signer = signerLooks[look.signer];
    this.#layout = layoutOf(look, logo, stamp);
    this.#scene = paintScene(look, this.#layout, logo, stamp);
    this.#texts = this.#layout.panel ?? this.#layout.subtitles;
    this.#floor = this.#texts?.top ?? look.height;
  }

  /**
   * Paints one frame of a script; a picture that this painter knows is only brought up to date.
   * @param picture of the look's size; with an alpha plane exactly when the look is transparent
   * @throws TypeError for any other picture
   */
  paint(picture: Picture, script: Script, frame: number): void {
    const { width, height } = this.#scene;
    if (picture.width !== width || picture.height !== height || !picture.a === this.#isTransparent) {
      throw new TypeError('the picture is not one of this look');
    }
    const before = this.#shown.get(picture);
    if (!before) copyRect(this.#scene, picture, wholeOf(picture));
    const play = this.#playOf(script);
    const { pose, lids } = play.motion(frame);
    const stands = before?.pose === pose && before.lids === lids;
    const moving = stands ? before.moving : this.#paintSigner(picture, pose, lids, before?.moving ?? null);
    const over = wordsOver(script.gloss, frame);
    const isSigning = frame >= (script.gloss.words[over]?.from ?? Infinity);
    if (before?.play !== play || before.over !== over || before.isSigning !== isSigning) {
      this.#paintTexts(picture, play, over, isSigning);
    }
    this.#shown.set(picture, { play, pose, lids, moving, over, isSigning });
    if (this.#hasStamp) paintStamp(picture.y, picture.strideY, picture, { clip: script.clip, frame });
  }

  #playOf(script: Script): Play {
    if (this.#play?.script === script) return this.#play;
    const { panel, subtitles, unit } = this.#layout;
    const { text } = script;
    return (this.#play = {
      script,
      motion: motionOf(script),
      caption: panel ? new Caption(text, panel, unit, !subtitles) : null,
      subtitles: subtitles ? new Subtitles(text, subtitles, unit) : null,
    });
  }

  /** Paints what moves in place of what was there; returns its pixels. */
  #paintSigner(picture: Picture, pose: Pose, lids: number, before: Rect | null): Rect {
    if (before) copyRect(this.#scene, picture, before);
    const view = this.#layout.figure;
    const mouth = mouthShapes(pose.mouth, this.#signer);
    const arms = armsOf(pose, this.#signer);
    const limbs = [...lidLimbs(lids, this.#signer), ...arms];
    if (this.#isTransparent) for (const part of arms) paintFringe(picture, view, part, this.#floor);
    for (const shape of mouth) fillPolygon(picture, view, shape);
    for (const part of limbs) paintLimb(picture, view, part);
    const { left, top, right, bottom } = unionOf(boundsOf(mouth, view), boundsOfLimbs(limbs, view));
    const more = this.#isTransparent ? FRINGE : 0;
    // Texts stand below the floor and are not to be wiped with the arms, whose bounds have some pixels to spare.
    return {
      left: left - more,
      top: top - more,
      right: right + more,
      bottom: Math.min(bottom + more, this.#floor),
    };
  }

  #paintTexts(picture: Picture, play: Play, over: number, isSigning: boolean): void {
    const { words } = play.script.gloss;
    const at = (words[over] ?? words[words.length - 1])?.at ?? 0;
    if (this.#texts) copyRect(this.#scene, picture, this.#texts);
    play.caption?.paint(picture, isSigning ? words[over]! : null, at);
    play.subtitles?.paint(picture, at);
  }
}

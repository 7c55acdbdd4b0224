// Paints the frames of scripts into pictures that keep what was last painted into them.
// - SANDBOX is on every frame, whatever the style is: in a corner, and on the shirt, because a player may show only the middle of
//   the picture. The stamp is on every frame when it is asked for.
// - What does not move (backdrop, body, badge, logo, empty panel, bars) is painted once and copied from there. For each frame,
//   only arms, eyes and mouth that moved, texts that changed, and the stamp are painted. A frame that is painted over another one
//   equals, byte for byte, the same frame on a new picture.
// - In a transparent picture the signer, badge, texts, logo and stamp are opaque, and everything else is not.
import { paintStamp, stampHeight } from '../stamp.ts';
import { bandColour, Caption, paintPanel, Subtitles } from './captions.ts';
import { armsOf, bodyLimbs, lidLimbs, mouthLimbs, signerStyles, type SignerName } from './figure.ts';
import { layoutOf, type Layout } from './layout.ts';
import { boundsOfLimbs, FRINGE, paintFringe, paintLimb, type Limb, type View } from './limb.ts';
import { paintLogo, type LogoPixels } from './logo.ts';
import type { RenderStyle } from './render-style.ts';
import { motionOf, type Motion, type Pose } from './motion.ts';
import {
  black,
  blankPicture,
  colour,
  copyRect,
  fillRect,
  paintBars,
  wholeOf,
  type Colour,
  type Picture,
  type Rect,
} from './picture.ts';
import { wordsOver, type Script } from './script.ts';
import { textWidth, writeLine } from './text.ts';

/** The options of a scene that are not in its style. */
interface SceneOptions {
  readonly logo?: LogoPixels | null;
  /** Whether frames have the stamp. Default false. */
  readonly stamp?: boolean;
}

const backplate = colour('#d5dee7');
const badgeColour = colour('#40464e');
const BRIGHT = 235;
const DARK = 34;
/** Size and position of the word on the shirt, in figure units. */
const PRINT = { size: 26, baseline: 334 };

/** Where alpha is 0, the colour is that of the subtitles' band. */
function backdropOf({ backdrop }: RenderStyle): Colour {
  if (backdrop === null) return backplate;
  return backdrop === 'transparent' ? bandColour : colour(backdrop);
}

const plain: View = { scale: 1, x: 0, y: 0 };

/** The dark pill behind the word SANDBOX. */
function badgeLimb({ left, top, right, bottom }: Rect): Limb {
  const r = (bottom - top) / 2;
  return {
    x0: left + r,
    y0: top + r,
    r0: r,
    x1: right - r,
    y1: top + r,
    r1: r,
    fill: badgeColour,
    edge: null,
  };
}

/** Arms may cover it for a while. */
function writeOnShirt(picture: Picture, { scale, x, y }: View, cloth: Colour): void {
  const size = Math.max(1, Math.round(PRINT.size * scale));
  const left = x - textWidth('SANDBOX', size) / 2;
  const baseline = Math.round(y + PRINT.baseline * scale);
  writeLine(picture, 'SANDBOX', { x: left, baseline, size, luma: cloth.y > 128 ? DARK : BRIGHT });
}

/** Paints what does not move in any picture of a style. For a transparent style the picture has an alpha plane. */
function paintScene(
  style: RenderStyle,
  layout: Layout,
  { logo = null, stamp = false }: SceneOptions,
): Picture {
  const isTransparent = style.backdrop === 'transparent';
  const picture = blankPicture(style.width, style.height, isTransparent);
  const { badge, figure, panel } = layout;
  fillRect(picture, wholeOf(picture), backdropOf(style));
  picture.a?.fill(0);
  const limbs = [
    ...bodyLimbs(signerStyles[style.signer]).map((limb) => [figure, limb] as const),
    [plain, badgeLimb(badge)] as const,
  ];
  for (const [view, limb] of limbs) paintFringe(picture, view, limb, style.height);
  for (const [view, limb] of limbs) paintLimb(picture, view, limb);
  const radius = (badge.bottom - badge.top) / 2;
  const baseline = Math.round(badge.top + radius + 11 * badge.unit);
  writeLine(picture, 'SANDBOX', { x: badge.left + radius, baseline, size: badge.size, luma: BRIGHT });
  writeOnShirt(picture, figure, signerStyles[style.signer].cloth);
  if (panel) paintPanel(picture, panel);
  if (layout.logo && logo) paintLogo(picture, layout.logo, logo);
  paintBars(picture, layout.area);
  if (stamp) fillRect(picture, { ...wholeOf(picture), bottom: stampHeight(style.height) }, black);
  return picture;
}

/** Data derived from a script, kept while it is painted. */
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
  /** Number of words that have been signed, and whether another is being signed. */
  readonly over: number;
  readonly isSigning: boolean;
}

/** One painter for one style: any sequence of scripts and frames, into any pictures that no one else paints into. */
export class ScenePainter {
  readonly #isTransparent: boolean;
  readonly #hasStamp: boolean;
  readonly #signer: (typeof signerStyles)[SignerName];
  readonly #layout: Layout;
  readonly #scene: Picture;
  /** Where texts are, and the row at which they begin. */
  readonly #texts: Rect | null;
  readonly #floor: number;
  readonly #shown = new WeakMap<Picture, Shown>();
  #play: Play | null = null;

  /** @param logo pixels of the style's logo; without them there is none */
  constructor(style: RenderStyle, options: SceneOptions = {}) {
    const { logo = null, stamp = false } = options;
    this.#hasStamp = stamp;
    this.#isTransparent = style.backdrop === 'transparent';
    this.#signer = signerStyles[style.signer];
    this.#layout = layoutOf(style, logo, stamp);
    this.#scene = paintScene(style, this.#layout, options);
    this.#texts = this.#layout.panel ?? this.#layout.subtitles;
    this.#floor = this.#texts?.top ?? style.height;
  }

  /**
   * Paints one frame of a script; a picture that this painter knows is only brought up to date.
   * @param picture of the style's size; with an alpha plane exactly when the style is transparent
   * @throws TypeError for any other picture
   */
  paint(picture: Picture, script: Script, frame: number): void {
    const { width, height } = this.#scene;
    if (picture.width !== width || picture.height !== height || !picture.a === this.#isTransparent) {
      throw new TypeError('the picture is not one of this style');
    }
    const before = this.#shown.get(picture);
    if (!before) copyRect(this.#scene, picture, wholeOf(picture));
    const play = this.#playOf(script);
    const { pose, lids } = play.motion(frame);
    const isUnmoved = before?.pose === pose && before.lids === lids;
    const moving = isUnmoved ? before.moving : this.#paintSigner(picture, pose, lids, before?.moving ?? null);
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

  /** Replaces what moved in the last frame by what moves in this one. Returns the pixels of the latter. */
  #paintSigner(picture: Picture, pose: Pose, lids: number, before: Rect | null): Rect {
    if (before) copyRect(this.#scene, picture, before);
    const view = this.#layout.figure;
    const arms = armsOf(pose, this.#signer);
    const limbs = [...mouthLimbs(pose.mouth, this.#signer), ...lidLimbs(lids, this.#signer), ...arms];
    if (this.#isTransparent) for (const limb of arms) paintFringe(picture, view, limb, this.#floor);
    for (const limb of limbs) paintLimb(picture, view, limb);
    const { left, top, right, bottom } = boundsOfLimbs(limbs, view);
    const more = this.#isTransparent ? FRINGE : 0;
    // Texts are below the floor and must not be cleared with the arms, whose bounds include some spare pixels.
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

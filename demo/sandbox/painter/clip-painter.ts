// Paints the frames of one clip, in order, into pictures that keep what was last painted into them.
// Policy: what stands still is painted once for a signer and size and copied back from there; a frame pays only for the
// arms, eyes and mouth, for a caption that changed, and for its stamp. The word SANDBOX is on every frame, so that nobody
// takes the drawing for signing.
import type { Gloss } from './gloss.ts';
import { clipId, paintStamp, stampHeight } from '../stamp.ts';
import { armsOf } from './arms.ts';
import { bodyShapes } from './body.ts';
import { Caption, captionArea, paintPanel } from './caption.ts';
import { lidLimbs, mouthShapes } from './face.ts';
import { boundsOfLimbs, paintLimb } from './limb.ts';
import { blinkIn, motionOf } from './motion.ts';
import { limb } from './outline.ts';
import {
  blankPicture,
  colour,
  copyRect,
  fillRect,
  unionOf,
  wholeOf,
  type Picture,
  type Rect,
} from './picture.ts';
import { boundsOf, fillPolygon, type View } from './polygon.ts';
import { signerLooks, type SignerName } from './signer-look.ts';
import { textWidth, writeLine } from './text-line.ts';

const BACKGROUND = colour('#d5dee7');
const BADGE = colour('#40464e');
const BADGE_INK = 235;
const black = { y: 16, u: 128, v: 128 };

/** Pixels; both even. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

const viewOf = ({ width, height }: FrameSize): View => ({ scale: height / 720, x: width / 2, y: 0 });

/** `SANDBOX` in the top left corner. */
function paintBadge(picture: Picture): void {
  const scale = picture.height / 720;
  const size = Math.round(32 * scale);
  const width = textWidth('SANDBOX', size) / scale;
  const outline = limb(48, 68, 23, 48 + width, 68, 23);
  fillPolygon(picture, { scale, x: 0, y: 0 }, { outline, colour: BADGE });
  writeLine(picture, 'SANDBOX', { x: 48 * scale, baseline: Math.round(79 * scale), size, luma: BADGE_INK });
}

function paintScene(signer: SignerName, size: FrameSize): Picture {
  const picture = blankPicture(size.width, size.height);
  fillRect(picture, wholeOf(picture), BACKGROUND);
  for (const shape of bodyShapes(signerLooks[signer])) fillPolygon(picture, viewOf(size), shape);
  paintPanel(picture);
  paintBadge(picture);
  fillRect(picture, { ...wholeOf(picture), bottom: stampHeight(size.height) }, black);
  return picture;
}

const scenes = new Map<string, Picture>();

function sceneOf(signer: SignerName, size: FrameSize): Picture {
  const key = `${signer} ${size.height}`;
  let scene = scenes.get(key);
  if (!scene) scenes.set(key, (scene = paintScene(signer, size)));
  return scene;
}

/** A painter for one clip: call the result with 0, 1, 2, … and any picture; one it knows is only brought up to date. */
export function clipPainter(
  clip: { readonly text: string; readonly gloss: Gloss; readonly signer: SignerName },
  size: FrameSize,
): (picture: Picture, frame: number) => void {
  const { text, gloss, signer } = clip;
  const look = signerLooks[signer];
  const scene = sceneOf(signer, size);
  const view = viewOf(size);
  const caption = new Caption(text, size);
  const poseIn = motionOf(gloss);
  const id = clipId(text);
  const painted = new WeakMap<Picture, { moved: Rect; shown: number }>();
  let next = 0;

  return (picture, frame) => {
    while (next < gloss.words.length && frame >= gloss.words[next]!.to) next++;
    const word = gloss.words[next];
    const current = word && frame >= word.from ? word : null;
    const shown = current ? next : -1;
    const before = painted.get(picture);
    copyRect(scene, picture, before?.moved ?? wholeOf(picture));
    if (shown !== before?.shown) {
      copyRect(scene, picture, captionArea(size));
      caption.paint(picture, current);
    }
    const pose = poseIn(frame);
    const mouth = mouthShapes(pose.mouth, look);
    for (const shape of mouth) fillPolygon(picture, view, shape);
    const limbs = [...lidLimbs(blinkIn(frame), look), ...armsOf(pose, look)];
    for (const part of limbs) paintLimb(picture, view, part);
    painted.set(picture, { moved: unionOf(boundsOf(mouth, view), boundsOfLimbs(limbs, view)), shown });
    paintStamp(picture.y, picture.strideY, size, { clip: id, frame });
  };
}

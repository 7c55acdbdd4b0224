// Paints the frames of one clip, in order, into planes that keep the frame before.
// Policy: what stands still is painted once for a signer and size and copied back from there; a frame pays only for the
// arms, eyes and mouth, for a caption that changed, and for its stamp. The word SANDBOX is on every frame, so that nobody
// takes the drawing for signing.
import type { Gloss } from '../gloss.ts';
import { clipId, paintStamp, stampHeight } from '../stamp.ts';
import { bodyShapes } from './body.ts';
import { Caption, captionArea, paintPanel } from './caption.ts';
import { movingShapes } from './limbs.ts';
import { blinkIn, motionOf } from './motion.ts';
import { limb } from './outline.ts';
import { blankPicture, colour, copyRect, fillRect, wholeOf, type Picture, type Rect } from './picture.ts';
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

/** A painter for one clip: call the result with 0, 1, 2, … and planes that still hold the frame before. */
export function clipPainter(
  clip: { readonly text: string; readonly gloss: Gloss; readonly signer: SignerName },
  size: FrameSize,
): (picture: Picture, frame: number) => void {
  const { text, gloss, signer } = clip;
  const scene = sceneOf(signer, size);
  const view = viewOf(size);
  const caption = new Caption(text, size);
  const poseIn = motionOf(gloss);
  const id = clipId(text);
  let moved: Rect | null = null;
  let shown: number | null = null;
  let next = 0;

  return (picture, frame) => {
    while (next < gloss.words.length && frame >= gloss.words[next]!.to) next++;
    const word = gloss.words[next];
    const current = word && frame >= word.from ? word : null;
    copyRect(scene, picture, moved ?? wholeOf(picture));
    const captionKey = current ? next : -1;
    if (captionKey !== shown) {
      copyRect(scene, picture, captionArea(size));
      caption.paint(picture, current);
      shown = captionKey;
    }
    const shapes = movingShapes(poseIn(frame), blinkIn(frame), signerLooks[signer]);
    for (const shape of shapes) fillPolygon(picture, view, shape);
    moved = boundsOf(shapes, view);
    paintStamp(picture.y, picture.strideY, size, { clip: id, frame });
  };
}

// What stands still in a picture of one look: backdrop, body, logo, empty panel, the word SANDBOX, bars, the stamp's ground.
// Policy: painted once for a look. SANDBOX and the stamp are there whatever the look says. Of a transparent look all of
// these are opaque, everything else is not.
import { stampHeight } from '../stamp.ts';
import { bodyShapes } from './body.ts';
import { paintPanel } from './caption.ts';
import { liftOff } from './fringe.ts';
import type { Layout } from './layout.ts';
import { paintLogo, type LogoPixels } from './logo.ts';
import type { Look } from './look.ts';
import { limb } from './outline.ts';
import { blankPicture, colour, fillRect, wholeOf, type Colour, type Picture } from './picture.ts';
import { fillPolygon } from './polygon.ts';
import { signerLooks } from './signer-look.ts';
import { bandColour } from './subtitles.ts';
import { writeLine } from './text-line.ts';

const backplate = colour('#d5dee7');
const badgeColour = colour('#40464e');
const BADGE_INK = 235;
const black: Colour = { y: 16, u: 128, v: 128 };

/** Alpha is the picture's own affair: a transparent one is painted on the colour that its subtitles' band has. */
function groundOf({ backdrop }: Look): Colour {
  if (backdrop === null) return backplate;
  return backdrop === 'transparent' ? bandColour : colour(backdrop);
}

function paintBadge(picture: Picture, { badge }: Layout): void {
  const { left, top, right, bottom, unit, size } = badge;
  const radius = (bottom - top) / 2;
  const outline = limb(left + radius, top + radius, radius, right - radius, top + radius, radius);
  fillPolygon(picture, { scale: 1, x: 0, y: 0 }, { outline, colour: badgeColour });
  const baseline = Math.round(top + radius + 11 * unit);
  writeLine(picture, 'SANDBOX', { x: left + radius, baseline, size, luma: BADGE_INK });
}

function paintBars(picture: Picture, { area }: Layout): void {
  const whole = wholeOf(picture);
  fillRect(picture, { ...whole, bottom: area.top }, black);
  fillRect(picture, { ...whole, top: area.bottom }, black);
  fillRect(picture, { ...whole, right: area.left }, black);
  fillRect(picture, { ...whole, left: area.right }, black);
}

/** The scene; a picture with an alpha plane for a transparent look. @param stamp whether a stamp needs its ground */
export function paintScene(look: Look, layout: Layout, logo: LogoPixels | null, stamp: boolean): Picture {
  const isTransparent = look.backdrop === 'transparent';
  const picture = blankPicture(look.width, look.height, isTransparent);
  const ground = groundOf(look);
  fillRect(picture, wholeOf(picture), ground);
  picture.a?.fill(0);
  for (const shape of bodyShapes(signerLooks[look.signer])) fillPolygon(picture, layout.figure, shape);
  if (layout.panel) paintPanel(picture, layout.panel);
  if (layout.logo && logo) paintLogo(picture, layout.logo, logo);
  paintBadge(picture, layout);
  if (isTransparent) liftOff(picture, ground);
  paintBars(picture, layout);
  if (stamp) fillRect(picture, { ...wholeOf(picture), bottom: stampHeight(look.height) }, black);
  return picture;
}

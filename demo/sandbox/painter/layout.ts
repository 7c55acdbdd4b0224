// Where everything is in a picture of any shape: bars, badge, panel, subtitles, logo, and how large the signer is.
// - Nothing covers anything else. For every word the hands stay within the picture, above the texts, and away from badge, logo and
//   stamp. Where there is no room, the signer is smaller.
// - Badge and texts are in the middle 5:4 part of a wide picture, because a panel on a phone shows only that part.
// - Texts, badge and logo grow with the picture's shorter side, so that they can be read on a phone held upright.
// - Every edge is on the chroma grid.
import { stampHeight } from '../stamp.ts';
import type { Logo, RenderStyle } from './render-style.ts';
import type { View } from './limb.ts';
import type { Rect } from './picture.ts';
import { textWidth } from './text.ts';

/** How far the signer's hands reach upward, downward and aside, in figure units. */
const HANDS = { top: 54, bottom: 566, aside: 304 };
/** Above the height `bottom`, hands do not reach further aside than `aside`. */
const RAISED = { bottom: 100, aside: 210 };
/** The greatest part of the legs that is shown. */
const LEGS_SHOWN = 234;
const SIGNER_SIZES: Readonly<Record<RenderStyle['signerSize'], number>> = {
  small: 3 / 4,
  medium: 7 / 8,
  large: 1,
};

/** In the layout's units; a 16:9 picture is 720 units high. */
const MARGIN = 25;
const BADGE = { top: 21, height: 46, size: 32, readable: 0.4 };
/** The greatest distance of the badge and the texts from the middle. */
export const MIDDLE_ASIDE = 440;
const HEADROOM = 30;
const GAP = 10;
const PANEL = 154;
/** The panel's height without the sentence, when the subtitles have the sentence. */
const WORD_ONLY = 80;
const SUBTITLES = 96;
const LOGO_HEIGHTS: Readonly<Record<Logo['size'], number>> = { small: 48, medium: 72, large: 104 };
/** A wide logo is made smaller until it takes this part of the picture's width and this many units. */
const LOGO_WIDEST = { part: 0.28, units: 156 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where SANDBOX is written. `unit` is the badge's own unit, `size` the size of its letters in pixels. */
interface Badge extends Rect {
  readonly unit: number;
  readonly size: number;
}

export interface Layout {
  /** The part of the picture that is composed. The bars of a padded picture are around it. */
  readonly area: Rect;
  /** Pixels of one unit; a 16:9 picture is 720 units high. */
  readonly unit: number;
  /** From figure units (motion.ts) to pixels. */
  readonly figure: View;
  readonly badge: Badge;
  readonly panel: Rect | null;
  /** Where subtitles may be; their band is as wide as their text. */
  readonly subtitles: Rect | null;
  readonly logo: Rect | null;
}

const even = (value: number): number => 2 * Math.round(value / 2);

/** The largest 16:9 part in the middle of a picture. */
function padded({ width, height }: Size): Rect {
  const wide = Math.min(width, even((height * 16) / 9));
  const tall = Math.min(height, even((width * 9) / 16));
  const [left, top] = [even((width - wide) / 2), even((height - tall) / 2)];
  return { left, top, right: left + wide, bottom: top + tall };
}

/** The space for the signer: hands must be between these. */
interface Room {
  readonly top: number;
  readonly bottom: number;
  /** To either side of the middle. */
  readonly aside: number;
}

/** Size of the signer, and the position of the top of figure units. */
interface Stance {
  readonly scale: number;
  readonly y: number;
}

/** The largest signer whose hands stay in the room. It stands at the bottom of the room; spare height shows more of the legs. */
function standing({ top, bottom, aside }: Room): Stance {
  const reach = HANDS.bottom - HANDS.top;
  const scale = Math.max(0, Math.min((bottom - top) / reach, aside / HANDS.aside));
  const legs = scale > 0 ? Math.min(LEGS_SHOWN, (bottom - top) / scale - reach) : 0;
  return { scale, y: bottom - (HANDS.bottom + legs) * scale };
}

/** The room beside, under or over the obstacle: the one with space for the largest signer. */
function roomClearOf(room: Room, obstacle: Rect, middle: number, gap: number): Room {
  const aside = Math.min(room.aside, Math.max(middle - obstacle.right, obstacle.left - middle));
  const isAbove = obstacle.top < (room.top + room.bottom) / 2;
  const { scale, y } = standing(room);
  const isBesideRaised = obstacle.bottom <= y + RAISED.bottom * scale && aside >= RAISED.aside * scale + gap;
  if (isBesideRaised) return room;
  const upright = isAbove
    ? { ...room, top: Math.max(room.top, obstacle.bottom + gap) }
    : { ...room, bottom: Math.min(room.bottom, obstacle.top - gap) };
  const beside = { ...room, aside };
  return standing(beside).scale > standing(upright).scale ? beside : upright;
}

/** Position and unit of the badge. In a small picture it is as large as possible, so that it can be read. */
function badgeIn({ left, top, right, bottom }: Rect, unit: number): Badge {
  const readable = Math.min(BADGE.readable, (right - left) / 540, (bottom - top) / 300);
  const own = Math.max(unit, readable);
  const size = Math.max(1, Math.round(BADGE.size * own));
  const from = Math.max(left + MARGIN * unit, (left + right) / 2 - MIDDLE_ASIDE * unit);
  const rect = {
    left: from,
    top: top + BADGE.top * unit,
    right: from + textWidth('SANDBOX', size) + BADGE.height * own,
    bottom: top + BADGE.top * unit + BADGE.height * own,
  };
  return { ...rect, unit: own, size };
}

/** The logo's place: beside the badge, in the other upper corner, or over the texts; its shape is kept. */
function logoRect(logo: Logo, image: Size, area: Rect, badge: Rect, floor: number, unit: number): Rect {
  const widest = Math.min(LOGO_WIDEST.units * unit, LOGO_WIDEST.part * (area.right - area.left));
  const scale = Math.min((LOGO_HEIGHTS[logo.size] * unit) / image.height, widest / image.width);
  const width = Math.max(2, even(image.width * scale));
  const height = Math.max(2, even(image.height * scale));
  const lefts = {
    'top-left': badge.right + 2 * GAP * unit,
    'bottom-left': area.left + MARGIN * unit,
    'top-right': area.right - MARGIN * unit - width,
    'bottom-right': area.right - MARGIN * unit - width,
  };
  const left = even(lefts[logo.position]);
  const top = even(logo.position.startsWith('top') ? badge.top : floor - BADGE.top * unit - height);
  return { left, top, right: left + width, bottom: top + height };
}

/** @param image the logo's own size, null when there is none @param stamp whether there is a stamp to keep clear of */
export function layoutOf(style: RenderStyle, image: Size | null, stamp: boolean): Layout {
  const whole = { left: 0, top: 0, right: style.width, bottom: style.height };
  const area = style.fit === 'pad' ? padded(style) : whole;
  const unit = Math.min((area.bottom - area.top) / 720, (area.right - area.left) / 540);
  const top = Math.max(area.top, stamp ? stampHeight(style.height) : 0);
  const strip = (height: number): Rect => ({ ...area, top: area.bottom - even(height * unit) });
  const subtitles = style.subtitles ? strip(SUBTITLES) : null;
  const panel = style.wordPanel ? strip(style.subtitles ? WORD_ONLY + SUBTITLES : PANEL) : null;
  const floor = (panel ?? subtitles)?.top ?? area.bottom;

  const badge = badgeIn({ ...area, top }, unit);
  const logo = style.logo && image ? logoRect(style.logo, image, area, badge, floor, unit) : null;

  const middle = (area.left + area.right) / 2;
  let room: Room = { top: top + HEADROOM * unit, bottom: floor, aside: (area.right - area.left) / 2 };
  for (const obstacle of [badge, logo]) {
    if (obstacle) room = roomClearOf(room, obstacle, middle, GAP * unit);
  }
  const { scale, y } = standing(room);
  const part = SIGNER_SIZES[style.signerSize];
  const figure = { scale: scale * part, x: middle, y: room.bottom - (room.bottom - y) * part };
  return { area, unit, figure, badge, panel, subtitles, logo };
}

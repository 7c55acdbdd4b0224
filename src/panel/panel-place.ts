// Where a panel is in the window: a corner, the distance from it, and a width. All numbers are CSS pixels.
// - The distance is from the nearest corner, so that the panel stays at that corner when the window changes its size.
// - What a visitor chose is kept in `localStorage` under `sign-panel`, and the tag and id of the element. Where a browser refuses
//   storage, nothing is kept.

export interface Place {
  readonly vertical: 'top' | 'bottom';
  readonly horizontal: 'left' | 'right';
  /** Distance from the edges of the corner, in addition to the margin. */
  readonly x: number;
  readonly y: number;
  /** Null for the usual width. */
  readonly width: number | null;
  readonly minimised: boolean;
}

/** The part of the window that a panel may cover. */
export interface Area {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export const placeAt = (corner: string): Place => ({
  vertical: corner.startsWith('top') ? 'top' : 'bottom',
  horizontal: corner.endsWith('left') ? 'left' : 'right',
  x: 0,
  y: 0,
  width: null,
  minimised: false,
});

/**
 * Clockwise, so that four presses of a button go through all corners. For a panel as wide as the window, `isWide`, left and right
 * are one place: it goes from the bottom to the top and back.
 */
export function nextCorner(place: Place, isWide = false): Place {
  const { vertical, horizontal } = place;
  const isTop = vertical === 'top';
  const isLeft = horizontal === 'left';
  if (isWide) return { ...place, x: 0, y: 0, vertical: isTop ? 'bottom' : 'top' };
  if (isTop) return { ...place, x: 0, y: 0, ...(isLeft ? { horizontal: 'right' } : { vertical: 'bottom' }) };
  return { ...place, x: 0, y: 0, ...(isLeft ? { vertical: 'top' } : { horizontal: 'left' }) };
}

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high));

/** The place with its upper left corner as near to this point as the area allows. */
export function moved(
  place: Place,
  { left, top }: { left: number; top: number },
  { width, height }: { width: number; height: number },
  area: Area,
): Place {
  const toLeft = between(0, left - area.left, area.right - area.left - width);
  const toTop = between(0, top - area.top, area.bottom - area.top - height);
  const toRight = Math.max(0, area.right - area.left - width - toLeft);
  const toBottom = Math.max(0, area.bottom - area.top - height - toTop);
  const horizontal = toLeft < toRight ? 'left' : 'right';
  const vertical = toTop < toBottom ? 'top' : 'bottom';
  return { ...place, vertical, horizontal, x: Math.min(toLeft, toRight), y: Math.min(toTop, toBottom) };
}

/** What a visitor chose. */
interface Remembered {
  /** Null while the visitor has not moved or resized the panel. */
  readonly place: Place | null;
  readonly open: boolean;
}

const keyOf = ({ localName, id }: Element): string => `sign-panel ${localName} ${id}`;

const isDistance = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 1e5;

function checked({ vertical, horizontal, x, y, width, minimised }: Place): Place | null {
  const corner = placeAt(`${vertical}-${horizontal}`);
  if (corner.vertical !== vertical || corner.horizontal !== horizontal) return null;
  if (!isDistance(x) || !isDistance(y) || !(width === null || isDistance(width))) return null;
  return { ...corner, x, y, width, minimised: minimised === true };
}

/** The kept choices; null when there are none, or none of this form, as another version may have left them. */
export function remembered(element: Element): Remembered | null {
  try {
    const { place, open } = JSON.parse(localStorage.getItem(keyOf(element)) ?? 'null') as Remembered;
    return { place: place && checked(place), open: open === true };
  } catch {
    return null;
  }
}

export function remember(element: Element, choices: Remembered): void {
  try {
    localStorage.setItem(keyOf(element), JSON.stringify(choices));
  } catch {
    // A full or forbidden storage: the choices last for this page.
  }
}

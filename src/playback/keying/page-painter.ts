// The one painter of a page, with which all its keyed pictures are drawn, one after the other. Policy: a browser gives a
// page some 16 WebGL contexts and takes the oldest for one more, so a board of 30 signers has one between them, from the
// first picture to the last, and it goes with that at once. What the browser takes away it may give back: until then
// nothing is drawn.
import { KeyPainter } from './key-painter.ts';

export interface PainterUser {
  /** The browser has taken the context away. */
  lost(): void;
  /** It can be drawn again. */
  restored(): void;
}

const users = new Set<PainterUser>();
let painter: KeyPainter | null = null;
/** Ends with the last user, and is let go of then: its error keeps the stack on which it ended, and who was on that. */
let life: AbortController | null = null;

/** Null while the browser has taken the context away, and without users. */
export const pagePainter = (): KeyPainter | null => painter;

/** False where there is no WebGL2: then nothing is joined. */
export function joinPainter(user: PainterUser): boolean {
  if (users.size === 0 && !open()) return false;
  users.add(user);
  return true;
}

export function leavePainter(user: PainterUser): void {
  if (!users.delete(user) || users.size > 0) return;
  life?.abort();
  life = null;
  painter?.release();
  painter = null;
}

function open(): boolean {
  const canvas = document.createElement('canvas');
  if (!paintOn(canvas)) return false;
  life = new AbortController();
  const { signal } = life;
  const lost = (event: Event): void => {
    // Otherwise it is never given back.
    event.preventDefault();
    painter = null;
    for (const user of users) user.lost();
  };
  const restored = (): void => {
    // It may be taken away again at once; then it may be given back once more.
    if (paintOn(canvas)) for (const user of users) user.restored();
  };
  canvas.addEventListener('webglcontextlost', lost, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
  return true;
}

function paintOn(canvas: HTMLCanvasElement): boolean {
  try {
    painter = new KeyPainter(canvas);
    return true;
  } catch {
    return false;
  }
}

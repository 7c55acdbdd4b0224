// Follows a pointer from press to release, by mouse, pen and touch. A press without a move stays a click.

/** Pixels before a press becomes a drag. */
const SLACK = 4;

/**
 * Calls `move` with the distance from the press, and `end` with whether the pointer has dragged. When the browser takes the
 * pointer for a gesture of its own, that ends the drag too.
 */
export function drag(
  event: PointerEvent,
  move: (dx: number, dy: number) => void,
  end: (hasDragged: boolean) => void,
): void {
  if (event.button !== 0 || !event.isPrimary) return;
  const target = event.currentTarget as HTMLElement;
  const { clientX, clientY, pointerId } = event;
  const done = new AbortController();
  const { signal } = done;
  let hasDragged = false;
  target.setPointerCapture(pointerId);
  target.addEventListener(
    'pointermove',
    (moved) => {
      const [dx, dy] = [moved.clientX - clientX, moved.clientY - clientY];
      hasDragged ||= Math.hypot(dx, dy) >= SLACK;
      if (hasDragged) move(dx, dy);
    },
    { signal },
  );
  target.addEventListener(
    'lostpointercapture',
    () => {
      done.abort();
      // A browser fires a click after a drag; the page must not see it.
      if (hasDragged) {
        const swallow = (click: Event): void => click.stopImmediatePropagation();
        target.addEventListener('click', swallow, { capture: true, once: true });
        setTimeout(() => target.removeEventListener('click', swallow, { capture: true }));
      }
      end(hasDragged);
    },
    { signal },
  );
}

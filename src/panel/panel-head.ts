// The bar at the top of a panel: its name and its buttons, and how a press on it becomes a drag.
// - Each thing that can be dragged has a button as well (WCAG 2.2 SC 2.5.7): the grip goes from corner to corner, and arrow keys
//   on it move in steps; two buttons change the size. Targets are 44 px.
// - Mouse, pen and touch are followed from press to release. A press without a move stays a click.
import { html, nothing, type TemplateResult } from 'lit';
import type { PanelStrings } from './panel-strings.ts';

const icon = (name: string, path: string): unknown =>
  html`<slot name="icon-${name}"
    ><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg
  ></slot>`;

const icons = {
  move: icon('move', 'M12 1l4 4h-3v6h6V8l4 4-4 4v-3h-6v6h3l-4 4-4-4h3v-6H5v3l-4-4 4-4v3h6V5H8z'),
  smaller: icon('smaller', 'M4 11h16v2H4z'),
  larger: icon('larger', 'M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z'),
  minimise: icon('minimise', 'M4 18h16v2H4z'),
  restore: icon('restore', 'M4 4h16v14H4zM6 8v8h12V8z'),
  enter: icon('enlarge', 'M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z'),
  exit: icon('reduce', 'M8 3h2v7H3V8h5zM14 3h2v5h5v2h-7zM3 14h7v7H8v-5H3zM14 14h7v2h-5v5h-2z'),
  close: icon(
    'close',
    'M5.5 4 12 10.5 18.5 4 20 5.5 13.5 12l6.5 6.5-1.5 1.5-6.5-6.5L5.5 20 4 18.5 10.5 12 4 5.5z',
  ),
};

interface Head {
  readonly strings: PanelStrings;
  readonly minimised: boolean;
  readonly fullscreen: boolean;
  /** The side of the panel that can be dragged to resize it. */
  readonly freeSide: 'left' | 'right';
  drag(event: PointerEvent): void;
  resize(event: PointerEvent): void;
  key(event: KeyboardEvent): void;
  nextCorner(): void;
  scale(factor: number): void;
  minimise(): void;
  toggleFullscreen(): void;
  close(): void;
}

const button = (
  part: string,
  name: string,
  label: string,
  content: unknown,
  press: () => void,
): TemplateResult =>
  html`<button
    type="button"
    part="button ${part}"
    class=${name}
    aria-label=${label}
    title=${label}
    @click=${press}
  >
    ${content}
  </button>`;

export function headView(head: Head): TemplateResult {
  const { strings, minimised, fullscreen } = head;
  return html`
    <button
      type="button"
      part="button move"
      class="grip"
      aria-label=${strings.move}
      title=${strings.move}
      @click=${head.nextCorner}
      @pointerdown=${head.drag}
      @keydown=${head.key}
    >
      ${icons.move}
    </button>
    <span class="title" part="title" @pointerdown=${head.drag}>${strings.title}</span>
    ${button('smaller', 'size', strings.smaller, icons.smaller, () => head.scale(0.8))}
    ${button('larger', 'size', strings.larger, icons.larger, () => head.scale(1.25))}
    ${button(
      'minimise',
      'minimise',
      minimised ? strings.restore : strings.minimise,
      minimised ? icons.restore : icons.minimise,
      head.minimise,
    )}
    ${
      minimised
        ? nothing
        : button(
            'enlarge',
            'enlarge',
            fullscreen ? strings.exitFullscreen : strings.fullscreen,
            fullscreen ? icons.exit : icons.enter,
            head.toggleFullscreen,
          )
    }
    ${button('close', 'close', strings.close, icons.close, head.close)}
    <div class="edge ${head.freeSide}" @pointerdown=${head.resize}></div>
  `;
}

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

// The list of the sentences of a reading, which is loaded when it is opened: the text of each, its state and its buttons.
// - A row stays that of its sentence while the list moves on, so that a button with the focus does not become another one's.
// - Of a long page it lists the sentence on screen, 3 before it and 29 after it, and shows how many more there are.
import { html, nothing, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Strings } from '../../strings/en.ts';
import type { ReadingStrings } from '../../strings/reading.ts';
import type { QueueEntry } from '../sign-events.ts';

const BEFORE = 3;
/** The sentence on screen included. */
const FROM_HERE = 30;

export type QueueStrings = ReadingStrings & Pick<Strings, 'retry' | 'lang'>;

interface QueueViewOptions {
  readonly isOpen: boolean;
  readonly strings: QueueStrings;
  readonly queue: readonly QueueEntry[];
  readonly jump: (ref: string) => void;
  readonly skip: (ref: string) => void;
  readonly retry: (ref: string) => void;
  readonly clear: () => void;
}

export function renderQueue(
  into: HTMLElement,
  { isOpen, strings, queue, jump, skip, retry, clear }: QueueViewOptions,
): void {
  const at = queue.findLastIndex(({ state }) => state === 'signing' || state === 'signed');
  const from = Math.max(0, at - BEFORE);
  const listed = queue.slice(from, Math.max(0, at) + FROM_HERE);
  const more = queue.length - from - listed.length;
  const waits = ({ state }: QueueEntry): boolean =>
    state === 'waiting' || state === 'preparing' || state === 'ready';
  const row = (entry: QueueEntry): unknown => {
    const { ref, text, state } = entry;
    return html`<li aria-current=${state === 'signing' ? 'true' : nothing}>
      <button type="button" part="button" class="jump" @click=${() => jump(ref)}>${text}</button>
      <small>${strings[state]}</small>
      ${
        waits(entry)
          ? html`<button
              type="button"
              part="button"
              aria-label="${strings.skip}: ${text}"
              @click=${() => skip(ref)}
            >
              ${strings.skip}
            </button>`
          : nothing
      }
      ${
        state === 'failed'
          ? html`<button
              type="button"
              part="button"
              aria-label="${strings.retry}: ${text}"
              @click=${() => retry(ref)}
            >
              ${strings.retry}
            </button>`
          : nothing
      }
    </li>`;
  };
  const list = html`
    <ul part="queue" class="list" aria-label=${strings.queue}>
      ${repeat(listed, ({ ref }) => ref, row)} ${more > 0 ? html`<li>+ ${more}</li>` : nothing}
    </ul>
    ${
      queue.some(waits)
        ? html`<button type="button" part="button" @click=${clear}>${strings.clear}</button>`
        : nothing
    }
  `;
  render(isOpen ? list : nothing, into);
}

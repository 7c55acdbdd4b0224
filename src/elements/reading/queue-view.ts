// The list of the sentences of a reading, which is loaded when it is opened: the text of each, its state and its buttons.
// - A row belongs to one sentence as long as it exists, so that a button with the focus never acts on another sentence.
// - Of a long page it lists the sentence on screen, 3 before it and 29 after it, and shows how many more there are.
import { html, nothing, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addStyles } from '../../internal/add-styles.ts';
import type { Strings } from '../../strings/en.ts';
import type { ReadingStrings } from '../../strings/reading.ts';
import type { QueueEntry } from '../sign-events.ts';
import { queueStyles } from './queue-view.styles.ts';

const BEFORE = 3;
/** The sentence on screen included. */
const FROM_HERE = 30;

export type QueueStrings = ReadingStrings & Pick<Strings, 'retry' | 'lang'>;

/** The members of the element that the list uses. */
export interface Listed extends HTMLElement {
  readonly queue: readonly QueueEntry[];
  skip(ref: string): void;
  retry(ref: string): void;
  clear?(): void;
}

export function renderQueue(
  into: HTMLElement,
  host: Listed,
  isOpen: boolean,
  strings: QueueStrings,
  jump: (ref: string) => void,
): void {
  const root = into.getRootNode() as ShadowRoot;
  addStyles(root, queueStyles);
  const { queue } = host;
  const at = queue.findLastIndex(({ state }) => state === 'signing' || state === 'signed');
  const from = Math.max(0, at - BEFORE);
  const listed = queue.slice(from, Math.max(0, at) + FROM_HERE);
  const more = queue.length - from - listed.length;
  const waits = ({ state }: QueueEntry): boolean =>
    state === 'waiting' || state === 'preparing' || state === 'ready';
  const row = (entry: QueueEntry): unknown => {
    const { ref, text, state } = entry;
    const button = (label: string, press: () => void): unknown =>
      html`<button type="button" part="button" aria-label="${label}: ${text}" @click=${press}>
        ${label}
      </button>`;
    return html`<li aria-current=${state === 'signing' ? 'true' : nothing}>
      <button type="button" part="button" class="jump" @click=${() => jump(ref)}>${text}</button>
      <small>${strings[state]}</small>
      ${waits(entry) ? button(strings.skip, () => host.skip(ref)) : nothing}
      ${state === 'failed' ? button(strings.retry, () => host.retry(ref)) : nothing}
    </li>`;
  };
  const list = html`
    <ul part="queue" class="list" aria-label=${strings.queue}>
      ${repeat(listed, ({ ref }) => ref, row)} ${more > 0 ? html`<li>+ ${more}</li>` : nothing}
    </ul>
    ${
      queue.some(waits)
        ? html`<button type="button" part="button" @click=${() => host.clear?.()}>${strings.clear}</button>`
        : nothing
    }
  `;
  const rows = (): Element[] => [...into.querySelectorAll('li')];
  const place = rows().findIndex((row) => row.contains(root.activeElement));
  // Nothing matches `:focus` while another window is in front.
  const hadFocus = into.contains(root.activeElement);
  render(isOpen ? list : nothing, into);
  // The button with the focus may be gone with its sentence: then the button of the next sentence is at its place.
  if (hadFocus && !into.contains(root.activeElement))
    (rows()[place]?.querySelector<HTMLElement>('button:last-of-type') ?? host).focus({ preventScroll: true });
}

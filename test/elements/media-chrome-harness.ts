// The controls of media-chrome around an element: its real elements, clicked with a real mouse.
import { sendMouse } from '@web/test-runner-commands';
import 'media-chrome';
import type { SignElement } from '../../src/elements/sign-element.ts';
import { frames } from './on-page.ts';

const buttons = ['play', 'mute', 'live', 'pip', 'fullscreen'] as const;
type Named = (typeof buttons)[number];

interface Controls {
  readonly controller: Element;
  /** Clicks a button as a visitor does. */
  click(name: Named): Promise<void>;
  /** What a control shows: `shown('play', 'mediapaused')`. */
  shown(name: Named | 'controller', attribute: string): string | null;
  readonly time: Element;
  readonly range: HTMLElement;
}

/** Puts media-chrome around an element. */
export async function around(element: SignElement): Promise<Controls> {
  const make = (name: string): HTMLElement => document.createElement(`media-${name}`);
  const controller = make('controller');
  const bar = make('control-bar');
  const [time, range] = [make('time-display'), make('time-range')];
  const made = Object.fromEntries(buttons.map((name) => [name, make(`${name}-button`)])) as Record<
    Named,
    HTMLElement
  >;
  bar.append(...Object.values(made), time, range);
  element.slot = 'media';
  controller.append(element, bar);
  controller.style.inlineSize = '640px';
  document.body.prepend(controller);
  await frames(2);
  return {
    controller,
    click: (name) => clickAt(made[name], 0.5),
    shown: (name, attribute) => (name === 'controller' ? controller : made[name]).getAttribute(attribute),
    time,
    range,
  };
}

export async function clickAt(element: Element, across: number): Promise<void> {
  const { left, top, width, height } = element.getBoundingClientRect();
  const position: [number, number] = [Math.round(left + width * across), Math.round(top + height / 2)];
  await sendMouse({ type: 'click', position });
}

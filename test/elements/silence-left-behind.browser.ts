// What a page keeps of silence loops and announcements that have come and gone, some before they played and some while they
// did: nothing, neither element nor video nor canvas nor what feeds it.
import { expect } from '@open-wc/testing';
import { clear as clearAnnouncements, mount as mountAnnouncement } from './announcement-stage.ts';
import { clear as clearLoops, mount as mountLoop } from './silence-stage.ts';
import { openContexts } from '../playback/keying/page-contexts.ts';
import { frames, until } from './stage.ts';

const MOUNTS = 20;

declare function gc(): void;

const { addSourceBuffer } = MediaSource.prototype;

/** What was there, by its kind. */
let seen: Record<'element' | 'video' | 'canvas' | 'source', WeakRef<object>[]>;

beforeEach(() => {
  seen = { element: [], video: [], canvas: [], source: [] };
  MediaSource.prototype.addSourceBuffer = function (type) {
    seen.source.push(new WeakRef(this));
    return addSourceBuffer.call(this, type);
  };
});
afterEach(async () => {
  MediaSource.prototype.addSourceBuffer = addSourceBuffer;
  await clearLoops();
  await clearAnnouncements();
});

function note(element: HTMLElement): void {
  seen.element.push(new WeakRef(element));
  for (const kind of ['video', 'canvas'] as const) {
    for (const one of element.shadowRoot!.querySelectorAll(kind)) seen[kind].push(new WeakRef(one));
  }
}

const left = (kind: keyof typeof seen): number =>
  seen[kind].filter((ref) => ref.deref() !== undefined).length;

/** Waits until all are gone; the browser itself may hold on to the video that it was at last, and so to who listens to it. */
const untilGone = (): Promise<unknown> =>
  until(
    async () => {
      gc();
      await frames(1);
      return [left('element'), left('video'), left('canvas'), left('source')];
    },
    (counts) => counts.every((count) => count <= 1),
  );

async function passingLoop(n: number): Promise<void> {
  const { element } = await mountLoop({ background: '#10203f', style: 'inline-size: 160px' });
  if (n % 4 > 0) await until(() => element.shadowRoot!.querySelector('video'));
  if (n % 4 > 1) await until(() => element.currentTime > 0);
  if (n % 4 > 2) await until(() => element.shadowRoot!.querySelector('canvas'));
  note(element);
  element.remove();
  await frames(4);
}

async function passingAnnouncement(n: number): Promise<void> {
  const { element, said } = await mountAnnouncement({
    'static-message': 'MIND_THE_GAP',
    timing: `10${10 + (n % 3)}`,
  });
  if (n % 4 > 0) await until(() => said.includes('sign-accepted'));
  if (n % 4 > 1) await until(() => said.includes('sign-start'));
  if (n % 4 > 2) await until(() => said.includes('sign-end'));
  note(element);
  element.remove();
  await frames(4);
}

it('twenty silence loops', async () => {
  for (let n = 0; n < MOUNTS; n++) await passingLoop(n);
  expect([
    seen.element.length,
    seen.video.length > 10,
    seen.canvas.length > 4,
    seen.source.length > 10,
  ]).to.deep.equal([MOUNTS, true, true, true]);
  await untilGone();
  expect(openContexts()).to.deep.equal([]);
});

it('twenty announcements', async () => {
  for (let n = 0; n < MOUNTS; n++) await passingAnnouncement(n);
  expect([seen.element.length, seen.video.length >= 10, seen.source.length >= 10]).to.deep.equal([
    MOUNTS,
    true,
    true,
  ]);
  await untilGone();
});

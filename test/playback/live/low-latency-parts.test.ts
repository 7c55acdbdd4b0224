// The repair of the parts of low latency reaches private members of hls.js, which a later version may not have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Hls from 'hls.js/light';
import { finishSegments, keepParts } from '../../../src/playback/live/hls-repairs.ts';

interface TrackerOfHls {
  readonly fragments: Record<string, { readonly loaded: unknown } | undefined>;
  detectEvictedFragments(type: string, buffered: object, playlist: string): void;
}

Object.assign(globalThis, { self: globalThis });

for (const [what, hls] of [
  ['the controller', {}],
  ['the tracker', { streamController: {} }],
  ['the method', { streamController: { fragmentTracker: {} } }],
] as const) {
  test(`an hls.js without ${what} of this name plays on without the repair`, () => {
    assert.doesNotThrow(() => keepParts(hls as unknown as Hls));
  });
}

test('a part of segment 0 has a number for hls.js, and any other part stays as it is', () => {
  const given: unknown[] = [];
  const fragmentTracker = {
    detectEvictedFragments: (...args: readonly unknown[]): void => void given.push(args[4]),
  };
  keepParts({ streamController: { fragmentTracker } } as unknown as Hls);
  const second = { fragment: { sn: 1 } };
  for (const part of [{ fragment: { sn: 0 } }, second, null])
    (fragmentTracker.detectEvictedFragments as (...args: unknown[]) => void)('video', [], 'main', {}, part);
  const [first, ...others] = given as [{ fragment: { sn: number } }, ...unknown[]];
  assert.ok(first.fragment.sn > 0 && first.fragment.sn < 1);
  assert.deepEqual(others, [second, null]);
});

/** hls.js, while it appends a part of segment 38 and the back buffer is removed. */
function removedWhileAppending(repair: (hls: Hls) => void): string[] {
  const hls = new Hls();
  repair(hls);
  const { fragmentTracker } = (hls as unknown as { streamController: { fragmentTracker: TrackerOfHls } })
    .streamController;
  const forgotten: string[] = [];
  const body = (sn: number): object => ({
    ...{ type: 'main', level: 0, sn },
    clearElementaryStreamInfo: () => forgotten.push(`${sn}`),
  });
  const time = [{ startPTS: 16, endPTS: 18 }];
  Object.assign(fragmentTracker.fragments, {
    main_0_17: { body: body(17), loaded: null, buffered: true, range: { video: { time, partial: false } } },
    main_0_38: { body: body(38), loaded: null, buffered: false, range: {} },
  });
  const buffered = { length: 1, start: () => 18, end: () => 58.8 };
  fragmentTracker.detectEvictedFragments('video', buffered, 'main');
  assert.equal(fragmentTracker.fragments.main_0_38?.loaded ?? null, null);
  hls.destroy();
  return forgotten;
}

test('a segment whose parts are appended while the back buffer is removed stays known, and a removed segment is forgotten', () => {
  assert.deepEqual(
    removedWhileAppending(() => {}),
    ['17', '38'],
    'hls.js needs the repair',
  );
  assert.deepEqual(removedWhileAppending(keepParts), ['17']);
});

/** How often the video seeks when the rest of segment 5, of seconds 20 to 22, is loaded while it is at this second. */
function seeksAt(second: number): number {
  let seeks = 0;
  const media = {
    get currentTime() {
      return second;
    },
    set currentTime(_: number) {
      seeks += 1;
    },
  };
  const listeners = new Map<string, (type: string, data: object) => void>();
  const on = (type: string, listen: (type: string, data: object) => void): void =>
    void listeners.set(type, listen);
  finishSegments({ on, media, streamController: {} } as unknown as Hls, Hls);
  const tell = (type: string, data: object): void => listeners.get(type)!(type, data);
  const frag = { type: 'main', sn: 5, start: 20, end: 22, duration: 2 };
  tell(Hls.Events.BUFFER_APPENDING, { frag, part: { fragment: frag, fragOffset: 0.5, duration: 0.5 } });
  tell(Hls.Events.LEVEL_UPDATED, { details: { fragments: [frag], partList: [{ fragment: { sn: 6 } }] } });
  tell(Hls.Events.BUFFER_APPENDING, { frag, part: null });
  tell(Hls.Events.FRAG_BUFFERED, { frag, part: null });
  return seeks;
}

test('where the rest of a segment is loaded, the video seeks if it may have decoded frames of it, and not 10 s before it', () => {
  assert.deepEqual([10, 19, 21, 23].map(seeksAt), [0, 1, 1, 0]);
});

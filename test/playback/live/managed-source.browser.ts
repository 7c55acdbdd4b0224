// Streams of the sandbox where the browser has ManagedMediaSource and no MediaSource, as on an iPhone.
// - In Chromium and Firefox, which have no ManagedMediaSource, their MediaSource takes its name.
// - WebKit opens a managed source only when `disableRemotePlayback` of the video is true. The others do not check it, so the test
//   reads it from the video.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import {
  removeAllPlayers,
  growingStream,
  listened,
  livePlayer,
  stepsBack,
  until,
  watchFrames,
} from './harness.ts';

type SourceClass = typeof MediaSource;
const page = globalThis as Record<string, unknown>;
const own = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor | undefined>;
const names = ['MediaSource', 'ManagedMediaSource', 'SourceBuffer'] as const;

/** The number of sources that were made, which are all managed. */
let made = 0;

before(() => {
  const Source = (page.ManagedMediaSource ?? page.MediaSource) as SourceClass;
  for (const name of names) delete page[name];
  page.ManagedMediaSource = class extends Source {
    constructor() {
      super();
      made += 1;
    }
  };
});
after(() => {
  for (const name of names) {
    delete page[name];
    if (own[name]) Object.defineProperty(globalThis, name, own[name]);
  }
});
afterEach(removeAllPlayers);

for (const protocol of ['hls', 'dash'] as const) {
  it(`plays live ${protocol.toUpperCase()} with ManagedMediaSource alone`, async () => {
    const stream = await growingStream();
    const player = livePlayer();
    const source = listened(stream, { protocol });
    const before = made;
    player.show(source);
    await until(() => source.reports.painted || source.reports.failed.length > 0);
    const { seen, stop } = watchFrames(player);
    await until(() => seen.length > 20 || source.reports.failed.length > 0);
    stop();
    expect([source.reports.failed, player.streamType, player.currentSrc]).to.deep.equal([
      [],
      'live',
      stream[protocol],
    ]);
    expect(made).to.be.greaterThan(before);
    expect(player.media!.disableRemotePlayback).to.equal(true);
    expect(stepsBack(seen)).to.deep.equal([]);
  });
}

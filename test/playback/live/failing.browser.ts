// A live stream whose media is late, refused or missing, on the real sandbox: what is painted, reported and left in memory.
import { expect } from '@open-wc/testing';
import Hls from 'hls.js/light';
import { SignError } from '../../../src/protocol/sign-error.ts';
import { setFaults } from '../../backend/client.ts';
import { collectGarbage } from '../../collect-garbage.ts';
import {
  removeAllPlayers,
  growingStream,
  removePlayer,
  listened,
  livePlayer,
  playedAtLive,
  stepsBack,
  until,
  watchFrames,
} from './harness.ts';

afterEach(async () => {
  await setFaults([]);
  removeAllPlayers();
});

it('a player without media stalls, reports that when the viewer can see it, and is at live again when media comes', async () => {
  const stream = await growingStream();
  const source = listened(stream);
  const player = await playedAtLive(source);
  await setFaults([{ fault: 'media_slow', ms: 3000 }]);
  await until(() => source.reports.recovering.length > 0);
  expect(player.paused).to.equal(false);
  await setFaults([]);
  await until(() => source.reports.recovering.at(-1) === false && player.isAtLive && !player.seeking);
  const { painted, ended, recovering, failed } = source.reports;
  expect([painted, ended, failed]).to.deep.equal([1, 0, []]);
  // On a busy machine it may stall once more; the reports alternate.
  expect(recovering).to.deep.equal(recovering.map((_, at) => at % 2 === 0));
});

it('plays on by itself after a repair', async () => {
  const { attachMedia } = Hls.prototype;
  const engines: Hls[] = [];
  Hls.prototype.attachMedia = function (video) {
    engines.push(this);
    attachMedia.call(this, video);
  };
  const player = livePlayer();
  const source = listened(await growingStream());
  try {
    player.show(source);
    await until(() => source.reports.painted && player.isAtLive);
    engines[0]!.recoverMediaError();
    expect([player.media!.paused, player.paused]).to.deep.equal([true, false]);
    await until(() => !player.media!.paused && player.isAtLive && !player.seeking);
  } finally {
    Hls.prototype.attachMedia = attachMedia;
  }
  expect(source.reports.failed).to.deep.equal([]);
});

/** A playlist of a second of silence, as packed AAC (ADTS, ISO 13818-7): mono, 48 kHz. */
function soundAlone(): string {
  const frame = [0xff, 0xf1, 0x4c, 0x40, 0x01, 0xbf, 0xfc, 0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];
  const bytes = new Uint8Array(Array.from({ length: 47 }, () => frame).flat());
  const addressOf = (part: BlobPart, type: string): string => URL.createObjectURL(new Blob([part], { type }));
  const lines = [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:1',
    '#EXTINF:1,',
    addressOf(bytes, 'audio/aac'),
    '#EXT-X-ENDLIST',
  ];
  return addressOf(lines.join('\n'), 'application/vnd.apple.mpegurl');
}

it('a stream with only sound fails', async () => {
  const source = listened({ hls: soundAlone() });
  livePlayer().show(source);
  const { reports } = source;
  await until(() => reports.failed.length + reports.ended > 0);
  expect([reports.failed, reports.painted, reports.ended]).to.deep.equal([['media_error'], 0, 0]);
});

it('a stream whose only variant has a coding that no browser plays fails', async () => {
  const text = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="dvh9.99"\nnone.m3u8\n';
  const hls = URL.createObjectURL(new Blob([text], { type: 'application/vnd.apple.mpegurl' }));
  const source = listened({ hls });
  livePlayer().show(source);
  await until(() => source.reports.failed.length > 0);
  expect(source.reports.failed).to.deep.equal(['media_error']);
});

it('a stream with an end whose key is not there is refused at the first answer', async () => {
  const addressOf = (part: BlobPart, type: string): string => URL.createObjectURL(new Blob([part], { type }));
  // The segment is there: hls.js requests it together with its key, and requests both again when the segment is refused first.
  const segment = addressOf(new Uint8Array(1600), 'video/mp2t');
  const key = `${location.origin}/none.key`;
  const text = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI="${key}"\n#EXTINF:1,\n${segment}\n#EXT-X-ENDLIST\n`;
  const hls = addressOf(text, 'application/vnd.apple.mpegurl');
  let asked = 0;
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    if (String(url) === key) asked += 1;
    open.call(this, method, url, true);
  };
  try {
    const source = listened({ hls });
    livePlayer().show(source);
    await until(() => source.reports.failed.length > 0);
    expect([source.reports.failed, asked]).to.deep.equal([['media_refused'], 1]);
  } finally {
    XMLHttpRequest.prototype.open = open;
  }
});

it('a stream with an end whose key is too short fails a minute after the first try', async () => {
  const addressOf = (part: BlobPart, type: string): string => URL.createObjectURL(new Blob([part], { type }));
  const segment = addressOf(new Uint8Array(1600), 'video/mp2t');
  const key = addressOf('short', '');
  const text = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=AES-128,URI="${key}"\n#EXTINF:1,\n${segment}\n#EXT-X-ENDLIST\n`;
  const hls = addressOf(text, 'application/vnd.apple.mpegurl');
  const { open } = XMLHttpRequest.prototype;
  const { now } = performance;
  let asked = 0;
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    if (String(url) === segment) asked += 1;
    // The minute is over with the second try.
    if (asked === 2) performance.now = () => now.call(performance) + 60_000;
    open.call(this, method, url, true);
  };
  try {
    const { code } = await new Promise<SignError>((failed) =>
      livePlayer().show(listened({ hls }, { failed })),
    );
    expect([code, asked]).to.deep.equal(['media_error', 2]);
  } finally {
    XMLHttpRequest.prototype.open = open;
    performance.now = now;
  }
});

it('without `sign-elements/dash` a DASH stream fails at once, and the error says what it needs', async () => {
  const player = livePlayer();
  const source = listened({ dash: `${location.origin}/event.mpd` });
  const error = await new Promise<SignError>((resolve) => player.show({ ...source, failed: resolve }));
  expect(error.code).to.equal('media_error');
  expect(error.message).to.contain("import 'sign-elements/dash'");
});

it('plays slow media in order', async () => {
  const stream = await growingStream();
  await setFaults([{ fault: 'media_trickle', bytes: 1400 }]);
  const player = livePlayer();
  const source = listened(stream);
  player.show(source);
  await until(() => source.reports.painted);
  const { seen, stop } = watchFrames(player);
  await until(() => seen.length > 30);
  stop();
  expect(stepsBack(seen)).to.deep.equal([]);
  expect(source.reports.failed).to.deep.equal([]);
});

it('a refusal in the middle is final, and the last frame stays', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  const source = listened(stream);
  player.show(source);
  await until(() => source.reports.painted);
  await setFaults([{ fault: 'media_refused' }]);
  await until(() => source.reports.failed.length > 0);
  expect(source.reports.failed).to.deep.equal(['media_refused']);
  expect(player.videoWidth).to.be.greaterThan(0);
});

it('a refused address is looked up again: the picture stays until the new stream plays on', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  let lookups = 0;
  let renewedAt = 0;
  const renew = async () => {
    lookups += 1;
    renewedAt ||= performance.now();
    await setFaults([]);
    return { hls: stream.again, dash: null };
  };
  const source = listened({ hls: stream.hls }, { renew });
  player.show(source);
  await until(() => source.reports.painted && player.isAtLive);
  let black = 0;
  player.addEventListener('timeupdate', () => (black += player.videoWidth > 0 ? 0 : 1));
  await setFaults([{ fault: 'media_refused' }]);
  await until(() => source.reports.painted > 1 && player.isAtLive);
  expect([lookups, black, player.currentSrc]).to.deep.equal([1, 0, stream.again]);
  expect([source.reports.failed, player.paused]).to.deep.equal([[], false]);

  await setFaults([{ fault: 'media_refused' }]);
  await until(() => source.reports.failed.length > 0);
  expect(source.reports.failed).to.deep.equal(['media_refused']);
  // After half a minute, which a busy machine may need, the address would be looked up once more.
  const isSoon = performance.now() - renewedAt < 30_000;
  expect(lookups).to.be.at.most(isSoon ? 1 : 2);
});

it('an address whose refusal has no CORS headers, so that a page sees no status, is looked up again', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  const renew = async () => {
    await setFaults([]);
    return { hls: stream.again, dash: null };
  };
  const source = listened({ hls: stream.hls }, { renew });
  const { reports } = source;
  player.show(source);
  await until(() => reports.painted && player.isAtLive);
  await setFaults([{ fault: 'media_host', cors: false }, { fault: 'media_refused' }]);
  await until(() => reports.painted > 1 || reports.failed.length > 0);
  expect([reports.failed, player.currentSrc]).to.deep.equal([[], stream.again]);
});

it('an address that nobody looks up may answer 404 at first: the stream plays as soon as it is there', async () => {
  const { hls } = await growingStream();
  await setFaults([{ fault: 'media_error', status: 404, count: 1 }]);
  const source = listened({ hls });
  livePlayer().show(source);
  await until(() => source.reports.painted + source.reports.failed.length > 0);
  expect([source.reports.painted, source.reports.failed]).to.deep.equal([1, []]);
});

it('an error of the look-up is reported, and the same address again is final', async () => {
  await setFaults([{ fault: 'media_refused' }]);
  const gone = listened(await growingStream(), {
    renew: () => Promise.reject(new SignError('not_found', 'no such session')),
  });
  const same = listened(gone.addresses, { renew: () => Promise.resolve(gone.addresses) });
  for (const source of [gone, same]) livePlayer().show(source);
  await until(() => gone.reports.failed.length > 0 && same.reports.failed.length > 0);
  expect([gone.reports.failed, same.reports.failed]).to.deep.equal([['not_found'], ['media_refused']]);
});

it('a stream without a manifest fails at once', () => {
  const source = listened({});
  livePlayer().show(source);
  expect(source.reports.failed).to.deep.equal(['media_error']);
});

// Only Chromium has `gc`, by a flag; without the flag elements/left-behind fails.
if ('gc' in globalThis) {
  it('leaves no engine in memory, however often it is shown and reset', async () => {
    const { attachMedia } = Hls.prototype;
    const engines: WeakRef<object>[] = [];
    Hls.prototype.attachMedia = function (video) {
      engines.push(new WeakRef(this));
      attachMedia.call(this, video);
    };
    const videos: WeakRef<object>[] = [];
    const stream = await growingStream();
    // In a function of its own, because a waiting test still references its last player.
    const pass = async (i: number): Promise<void> => {
      const player = livePlayer();
      const source = listened(stream);
      player.show(source);
      videos.push(new WeakRef(player.box.querySelector('video')!));
      await until(() => engines.length > i);
      // Some are removed while they load, some while they play, some while the next stream starts.
      if (i % 7 > 4) await until(() => source.reports.painted);
      if (i % 7 > 5) player.show(listened({ hls: stream.again }));
      removePlayer(player);
    };
    try {
      for (let i = 0; i < 20; i++) await pass(i);
    } finally {
      Hls.prototype.attachMedia = attachMedia;
    }
    const left = (refs: readonly WeakRef<object>[]): number =>
      refs.filter((ref) => ref.deref() !== undefined).length;
    await until(
      async () => {
        // In a new task, because the collector keeps what is referenced from the stack.
        await collectGarbage();
        return [left(engines), left(videos)];
      },
      ([engine, video]) => engine === 0 && video === 0,
    );
    expect(engines.length).to.be.at.least(20);
  });
}

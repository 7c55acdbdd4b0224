// HLS by hls.js in a real browser: prefetched parts, and the build that is loaded.
import { expect } from '@open-wc/testing';
import FullHls from 'hls.js';
import LightHls from 'hls.js/light';
import { configure } from '../../../src/elements/configure.ts';
import { PartPrefetch } from '../../../src/playback/live/part-prefetch.ts';
import { removeAllPlayers, growingStream, removePlayer, listened, livePlayer, until } from './harness.ts';

afterEach(removeAllPlayers);

/** A player that shows a growing stream, and the second at which it began. */
async function playGrowing() {
  const player = livePlayer();
  const stream = await growingStream();
  const source = listened({ hls: stream.hls });
  player.show(source);
  await until(() => source.reports.painted);
  return { player, stream, source, began: player.currentTime };
}

it('plays prefetched parts, and loads them once', async () => {
  /** Every address that was loaded, and those of the prefetched parts that hls.js got. */
  const loaded: string[] = [];
  const handed: string[] = [];
  const { fetch } = globalThis;
  const { take } = PartPrefetch.prototype;
  const { open } = XMLHttpRequest.prototype;
  globalThis.fetch = (input, init) => {
    loaded.push(input instanceof Request ? input.url : String(input));
    return fetch(input, init);
  };
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    loaded.push(String(url));
    open.call(this, method, url, true);
  };
  PartPrefetch.prototype.take = function (place) {
    const part = take.call(this, place);
    void part?.bytes.then(
      () => handed.push(place),
      () => {},
    );
    return part;
  };
  try {
    const { player, source, began } = await playGrowing();
    await until(() => handed.length > 10 && player.currentTime > began + 2);
    expect(loaded.filter((url) => handed.includes(url)).sort()).to.deep.equal([...handed].sort());
    expect(source.reports.failed).to.deep.equal([]);
  } finally {
    globalThis.fetch = fetch;
    PartPrefetch.prototype.take = take;
    XMLHttpRequest.prototype.open = open;
  }
});

for (const option of ['xhrSetup', 'loader'] as const) {
  it(`with ${option} of the page every request of a stream goes through it, also each request for a part`, async () => {
    const [seen, fetched]: [string[], string[]] = [[], []];
    class OwnLoader extends LightHls.DefaultConfig.loader {
      override load(
        ...[context, ...more]: Parameters<InstanceType<typeof LightHls.DefaultConfig.loader>['load']>
      ) {
        seen.push(context.url);
        super.load(context, ...more);
      }
    }
    const xhrSetup = (_: XMLHttpRequest, url: string): void => void seen.push(url);
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      fetched.push(input instanceof Request ? input.url : String(input));
      return fetch(input, init);
    };
    configure({ hls: option === 'loader' ? { loader: OwnLoader } : { xhrSetup } });
    try {
      const { player, stream, began } = await playGrowing();
      await until(() => player.currentTime > began + 2);
      const { origin } = new URL(stream.hls);
      expect(fetched.filter((url) => url.startsWith(origin))).to.deep.equal([]);
      expect(seen.filter((url) => url.includes('.m4s')).length).to.be.above(3);
    } finally {
      globalThis.fetch = fetch;
      configure({ hls: undefined });
    }
  });
}

it('builds no engine for a stream that was removed before the code was loaded', async () => {
  const { attachMedia } = LightHls.prototype;
  const attached: HTMLMediaElement[] = [];
  LightHls.prototype.attachMedia = function (video) {
    attached.push(video as HTMLMediaElement);
    attachMedia.call(this, video);
  };
  try {
    const stream = await growingStream();
    const gone = livePlayer();
    gone.show(listened(stream));
    removePlayer(gone);
    const player = livePlayer();
    const source = listened(stream);
    player.show(source);
    await until(() => source.reports.painted);
    expect(attached).to.deep.equal([player.media]);
  } finally {
    LightHls.prototype.attachMedia = attachMedia;
  }
});

/** A multivariant playlist of this page's own, with sound in a playlist of its own or without. */
function multivariant(media: string, withSound: boolean): string {
  const sound = `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="sound",DEFAULT=YES,URI="${media}"\n`;
  const text = `#EXTM3U
${withSound ? sound : ''}#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.42c01e"${withSound ? ',AUDIO="sound"' : ''}
${media}
`;
  return URL.createObjectURL(new Blob([text], { type: 'application/vnd.apple.mpegurl' }));
}

for (const [where, written] of [
  ['part of an address', (media: string) => ['file', media.replace(/\w+\.m3u8/, '{$file}.m3u8')]],
  ['a whole address', () => ['file', '{$file}']],
] as const) {
  it(`plays a playlist with a variable for ${where}`, async () => {
    const { hls, again } = await growingStream();
    const media = hls.includes('/stream.m3u8') ? hls : again;
    const [name, address] = written(media);
    const value = address === '{$file}' ? media : /(\w+)\.m3u8/.exec(media)![1];
    const text = `#EXTM3U
#EXT-X-DEFINE:NAME="${name}",VALUE="${value}"
#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.42c01e"
${address}
`;
    const url = URL.createObjectURL(new Blob([text], { type: 'application/vnd.apple.mpegurl' }));
    const source = listened({ hls: url });
    livePlayer().show(source);
    await until(() => source.reports.painted || source.reports.failed.length > 0);
    URL.revokeObjectURL(url);
    expect(source.reports.failed).to.deep.equal([]);
  });
}

/** The builds of hls.js that have been attached to a video and destroyed meanwhile; `restore` ends the record. */
function recordBuilds(): { begun: string[]; ended: string[]; restore: () => void } {
  const begun: string[] = [];
  const ended: string[] = [];
  const builds = [
    ['light', LightHls.prototype],
    ['full', FullHls.prototype],
  ] as const;
  const plain = builds.map(([, { attachMedia, destroy }]) => ({ attachMedia, destroy }));
  for (const [i, [name, build]] of builds.entries()) {
    build.attachMedia = function (video) {
      begun.push(name);
      plain[i]!.attachMedia.call(this, video);
    };
    build.destroy = function () {
      ended.push(name);
      plain[i]!.destroy.call(this);
    };
  }
  return { begun, ended, restore: () => builds.forEach(([, build], i) => Object.assign(build, plain[i])) };
}

it('loads the full build for an audio rendition, and only for that', async () => {
  const { hls, again } = await growingStream();
  const media = hls.includes('/stream.m3u8') ? hls : again;
  const { begun, ended, restore } = recordBuilds();
  const addresses = [multivariant(media, false), multivariant(media, true)];
  try {
    const silent = listened({ hls: addresses[0]! });
    livePlayer().show(silent);
    await until(() => silent.reports.painted);
    expect([begun, ended]).to.deep.equal([['light'], []]);
    livePlayer().show(listened({ hls: addresses[1]! }));
    await until(() => begun.length > 2);
    expect([begun, ended]).to.deep.equal([['light', 'light', 'full'], ['light']]);
  } finally {
    restore();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
});

/** A packet of MPEG-TS (ISO 13818-1, 2.4.4) that holds one table and is filled up. */
function tablePacket(pid: number, table: readonly number[]): number[] {
  const packet = [0x47, 0x40 | (pid >> 8), pid & 0xff, 0x10, 0, ...table, 0, 0, 0, 0];
  return [...packet, ...Array.from({ length: 188 - packet.length }, () => 0xff)];
}

/** A playlist of one segment that says it has H.265 (stream type 0x24), and has no frame. */
function h265InTs(): string[] {
  const programs = [0x00, 0xb0, 0x0d, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0x00];
  const tracks = [0x02, 0xb0, 0x12, 0, 1, 0xc1, 0, 0, 0xe1, 0x00, 0xf0, 0x00, 0x24, 0xe1, 0x00, 0xf0, 0x00];
  const empty = Array.from({ length: 6 }, () => [
    0x47,
    0x1f,
    0xff,
    0x10,
    ...Array.from({ length: 184 }, () => 0xff),
  ]);
  const bytes = new Uint8Array([tablePacket(0, programs), tablePacket(0x1000, tracks), ...empty].flat());
  const segment = URL.createObjectURL(new Blob([bytes], { type: 'video/mp2t' }));
  const text = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${segment}\n#EXT-X-ENDLIST\n`;
  return [URL.createObjectURL(new Blob([text], { type: 'application/vnd.apple.mpegurl' })), segment];
}

it('loads the full build for H.265 in MPEG-TS', async () => {
  const addresses = h265InTs();
  const { begun, ended, restore } = recordBuilds();
  try {
    const source = listened({ hls: addresses[0]! });
    livePlayer().show(source);
    await until(() => begun.length > 1 || source.reports.failed.length > 0);
    // The full build finds no frame, and is attached once more.
    expect([begun.slice(0, 2), ended[0]]).to.deep.equal([['light', 'full'], 'light']);
  } finally {
    restore();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
});

// A live player on HLS streams of MPEG-TS some of whose segments are no MPEG-TS.
// - All streams play at once, and each kind has a test of its own, which waits for its stream.
import { expect } from '@open-wc/testing';
import { operate } from '../../backend/client.ts';
import { removeAllPlayers, removePlayer, listened, livePlayer, until, watchFrames } from './harness.ts';

const SECONDS = 6;
const FRAMES_PER_SEGMENT = 25;

const zeros = new Uint8Array(3000);
const noise = zeros.map((_, at) => (at * at * 31) % 251);

interface Case {
  readonly unreadable: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const cases: Readonly<Record<string, Case>> = {
  'a segment of noise': { unreadable: [3], bytes: noise },
  'a segment of zeros': { unreadable: [3], bytes: zeros },
  'two segments in a row': { unreadable: [2, 3], bytes: noise },
  'the first segment': { unreadable: [0], bytes: noise },
  'the first two segments': { unreadable: [0, 1], bytes: noise },
  'the last segment': { unreadable: [SECONDS - 1], bytes: noise },
};
const nothingReadable: Case = { unreadable: Array.from({ length: SECONDS }, (_, at) => at), bytes: noise };

/** By the folder of a stream: what is loaded in place of some of its segments. */
const replaced = new Map<string, Case & { readonly address: string }>();
const folderOf = (url: string): string => new URL('.', url).href;

/** A stream that grows while its text is signed, in segments of 1 s, then ends. */
async function streamOf(name: string, one: Case): Promise<string> {
  const config = { resolution: '426x240', hlsSegmentType: 'ts', hlsSegmentDuration: 1 };
  const { manifests } = (await operate('POST', '/v2/generate', {
    content: { type: 'text', data: `Not readable is ${name}`, duration: SECONDS },
    output: { format: 'hls', delivery: { method: 'stream', config } },
    context: { application: 'unreadable segments' },
  })) as { manifests: { hls: string } };
  replaced.set(folderOf(manifests.hls), { ...one, address: URL.createObjectURL(new Blob([one.bytes])) });
  return manifests.hls;
}

const { open } = XMLHttpRequest.prototype;

function replaceSegments(): void {
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    const segment = Number(/\/(\d+)\.ts\b/.exec(String(url))?.[1] ?? NaN);
    const at = Number.isNaN(segment) ? undefined : replaced.get(folderOf(String(url)));
    open.call(this, method, at?.unreadable.includes(segment) ? at.address : url, true);
  };
}

interface Played {
  /** Numbers of the segments of which frames were painted. */
  readonly segments: number[];
  /** The number of sources that the video had. */
  readonly sources: number;
  /**
   * Numbers of the segments of which every frame was on screen half a second or more before its time. It is every frame, because
   * on a busy machine Firefox now and then reports a time that is behind the frame.
   */
  readonly early: number[];
  readonly failed: string[];
}

/** Plays a stream to its end. A second of the video is a segment. */
async function played(hls: string, playbackRate = 1): Promise<Played> {
  const player = livePlayer();
  player.playbackRate = playbackRate;
  const source = listened({ hls });
  const { seen, stop } = watchFrames(player);
  const sources = new Set<string>();
  /** By segment, the fewest seconds that a frame of it was before its time. */
  const ahead = new Map<number, number>();
  player.show(source);
  const { reports } = source;
  await until(
    () => {
      if (player.media) sources.add(player.media.src);
      const last = seen.at(-1);
      if (last) {
        const second = last.frame / FRAMES_PER_SEGMENT;
        const segment = Math.floor(second);
        ahead.set(segment, Math.min(ahead.get(segment) ?? Infinity, second - player.currentTime));
      }
      return reports.ended + reports.failed.length > 0;
    },
    Boolean,
    () => [reports, player.currentTime, seen.at(-1)?.frame],
  );
  stop();
  removePlayer(player);
  const segments = new Set(seen.map(({ frame }) => Math.floor(frame / FRAMES_PER_SEGMENT)));
  return {
    segments: [...segments].sort(),
    sources: sources.size,
    early: [...ahead].filter(([, seconds]) => seconds > 0.5).map(([segment]) => segment),
    failed: reports.failed,
  };
}

/** Plays a stream while it grows, and again when it is over. */
async function playedTwice(hls: string): Promise<{ live: Played; afterwards: Played }> {
  return { live: await played(hls), afterwards: await played(hls, 2) };
}

/** By kind. All streams play side by side. */
const results = new Map<string, ReturnType<typeof playedTwice>>();
let nothing: Promise<Played>;

before(() => {
  replaceSegments();
  for (const [name, one] of Object.entries(cases)) results.set(name, streamOf(name, one).then(playedTwice));
  nothing = streamOf('everything', nothingReadable).then((hls) => played(hls));
  // Each test reports the error of its own stream.
  void Promise.allSettled([...results.values(), nothing]);
});

after(() => {
  XMLHttpRequest.prototype.open = open;
  for (const { address } of replaced.values()) URL.revokeObjectURL(address);
  removeAllPlayers();
});

for (const [name, { unreadable }] of Object.entries(cases)) {
  it(`leaves out ${name}, and plays on at once and without a new source, live and after the end`, async () => {
    const { live, afterwards } = (await results.get(name))!;
    const readable = nothingReadable.unreadable.filter((segment) => !unreadable.includes(segment));
    const well = { sources: 1, early: [], failed: [] };
    expect(afterwards).to.deep.equal({ segments: readable, ...well });
    // On a busy machine a live player seeks forward to live.
    const { segments, ...rest } = live;
    expect(readable).to.include.members(segments);
    expect([segments.at(-1), rest]).to.deep.equal([readable.at(-1), well]);
  });
}

it('ends in an error when no segment can be read', async () => {
  const { segments, failed } = await nothing;
  expect([segments, failed]).to.deep.equal([[], ['media_error']]);
});

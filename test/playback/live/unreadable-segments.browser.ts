// A live player on an HLS stream of MPEG-TS some of whose segments are no MPEG-TS.
import { expect } from '@open-wc/testing';
import { operate } from '../../backend/client.ts';
import { clearStage, listened, livePicture, until, watchFrames } from './stage.ts';

const SECONDS = 8;
const FRAMES_PER_SEGMENT = 25;

const { open } = XMLHttpRequest.prototype;

afterEach(() => {
  XMLHttpRequest.prototype.open = open;
  clearStage();
});

const zeros = new Uint8Array(3000);
const noise = zeros.map((_, at) => (at * at * 31) % 251);

/** A stream that grows while its text is signed, in segments of 1 s, then ends. */
async function streamOfSegments(text: string): Promise<string> {
  const config = { resolution: '426x240', hlsSegmentType: 'ts', hlsSegmentDuration: 1 };
  const { manifests } = (await operate('POST', '/v2/generate', {
    content: { type: 'text', data: text, duration: SECONDS },
    output: { format: 'hls', delivery: { method: 'stream', config } },
    context: { application: 'unreadable segments' },
  })) as { manifests: { hls: string } };
  return manifests.hls;
}

/** From now on these bytes are loaded in place of each segment that is chosen by its number. */
function replaceSegments(isReplaced: (segment: number) => boolean, bytes: BlobPart): () => void {
  const address = URL.createObjectURL(new Blob([bytes]));
  XMLHttpRequest.prototype.open = function (method: string, url: string | URL) {
    const segment = /\/(\d+)\.ts\b/.exec(String(url))?.[1];
    open.call(this, method, segment && isReplaced(Number(segment)) ? address : url, true);
  };
  return () => URL.revokeObjectURL(address);
}

/** Plays a stream to its end: the segments of which frames were painted, how many sources the video had, and errors. */
async function played(hls: string): Promise<{ segments: number[]; sources: number; failed: string[] }> {
  const picture = livePicture();
  const source = listened({ hls });
  const { seen, stop } = watchFrames(picture);
  const sources = new Set<string>();
  picture.show(source);
  const { told } = source;
  await until(
    () => {
      if (picture.media) sources.add(picture.media.src);
      return told.ended + told.failed.length > 0;
    },
    Boolean,
    () => [told, picture.currentTime, seen.at(-1)?.frame],
  );
  stop();
  const segments = new Set(seen.map(({ frame }) => Math.floor(frame / FRAMES_PER_SEGMENT)));
  return { segments: [...segments].sort(), sources: sources.size, failed: told.failed };
}

for (const [what, unreadable, bytes] of [
  ['a segment of noise', [3], noise],
  ['a segment of zeros', [3], zeros],
  ['two segments in a row', [3, 4], noise],
  ['the first segment', [0], noise],
  ['the first two segments', [0, 1], noise],
  ['the last segment', [SECONDS - 1], noise],
] as const) {
  it(`leaves out ${what}, and plays on without a new source, live and after the end`, async () => {
    const hls = await streamOfSegments(`Not readable is ${what}`);
    const isUnreadable = (segment: number): boolean => unreadable.some((one) => one === segment);
    const release = replaceSegments(isUnreadable, bytes);
    const live = await played(hls);
    const afterwards = await played(hls);
    release();
    const readable = Array.from({ length: SECONDS }, (_, segment) => segment).filter(
      (segment) => !isUnreadable(segment),
    );
    expect(afterwards).to.deep.equal({ segments: readable, sources: 1, failed: [] });
    // On a busy machine a live player seeks forward to live.
    const { segments, ...rest } = live;
    expect(readable).to.include.members(segments);
    expect([segments.at(-1), rest]).to.deep.equal([readable.at(-1), { sources: 1, failed: [] }]);
  });
}

it('ends in an error when no segment can be read', async () => {
  const release = replaceSegments(() => true, noise);
  const source = listened({ hls: await streamOfSegments('Nothing is readable') });
  livePicture().show(source);
  await until(() => source.told.failed.length > 0);
  release();
  expect([source.told.painted, source.told.failed]).to.deep.equal([0, ['media_error']]);
});

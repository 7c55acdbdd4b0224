// Opening, serving and ending the streams of the sandbox. The thread of these tests encodes nothing.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { defaultLimits } from '../../../demo/sandbox/settings.ts';
import { presign } from '../../../demo/sandbox/media/signed-url.ts';
import {
  StreamService,
  StreamsFull,
  type HostedStream,
  type LiveStream,
} from '../../../demo/sandbox/streams/stream-service.ts';
import { ManualClock } from '../manual-clock.ts';
import { partOf, specOf } from './stream-parts.ts';
import { smallStamped } from '../stamped.ts';

class Harness {
  readonly clock = new ManualClock();
  readonly service: StreamService;
  limits = { ...defaultLimits, live_streams: 2 };
  #opened = 0;

  constructor(t: TestContext) {
    this.service = new StreamService({
      render: smallStamped,
      clock: this.clock,
      limits: () => this.limits,
      newId: () => String(++this.#opened).padStart(32, '0'),
      secret: 'secret',
      urlOf: (path, expires) => `http://media.test${presign('secret', path, expires)}`,
      threadUrl: new URL('./scripted-stream-worker.mjs', import.meta.url),
    });
    t.after(() => this.service.close());
  }

  open(kind: 'ongoing' | 'job' = 'ongoing'): LiveStream {
    return this.service.open(specOf({ kind, lowLatency: false }));
  }

  /** A stream that has ended. */
  async ended(kind: 'ongoing' | 'job' = 'ongoing', text = 'hello'): Promise<LiveStream> {
    const stream = this.open(kind);
    stream.sign(text, null);
    stream.end();
    await stream.ended;
    return stream;
  }

  async statusOf(url: string): Promise<number> {
    const found = await this.service.route.file(new URL(url), new AbortController().signal);
    return 'status' in found ? found.status : 200;
  }
}

const begun = (stream: LiveStream, text: string): Promise<void> =>
  new Promise((resolve) => void stream.sign(text, null, resolve));

test('HLS and DASH have one prefix and one signature, which the cookies carry too', (t) => {
  const { hlsUrl, dashUrl, cookies, id } = new Harness(t).open();
  const [hls, dash] = [new URL(hlsUrl), new URL(dashUrl)];
  assert.equal(hls.pathname, `/streams/${id}/stream.m3u8`);
  assert.equal(dash.pathname, `/streams/${id}/manifest.mpd`);
  assert.equal(hls.search, dash.search);
  assert.deepEqual(
    cookies.map(({ name }) => name),
    ['sandbox-expires', 'sandbox-signature'],
  );
  assert.equal(cookies[1]?.value, hls.searchParams.get('signature'));
});

test('both addresses are served, and their signature is valid for a day', async (t) => {
  const harness = new Harness(t);
  const { hlsUrl, dashUrl } = await harness.ended();
  for (const url of [hlsUrl, dashUrl]) {
    assert.equal(harness.service.route.permits(new URL(url)), true);
    assert.equal(await harness.statusOf(url), 200);
  }
  harness.clock.advance(24 * 3_600_000);
  assert.equal(harness.service.route.permits(new URL(hlsUrl)), false);
});

test('signing a text returns its length, and reports when it begins', async (t) => {
  const stream = new Harness(t).open();
  assert.equal(stream.sign('hello', 7), 7);
  await begun(stream, 'world');
});

test('a stream above the limit is refused until another stream has ended', async (t) => {
  const harness = new Harness(t);
  const first = harness.open();
  harness.open('job');
  assert.throws(() => harness.open(), StreamsFull);
  first.stop();
  await first.ended;
  assert.equal(harness.service.growing, 1);
  harness.open();
  assert.throws(() => harness.open(), StreamsFull);
  harness.limits = { ...harness.limits, live_streams: 3 };
  harness.open();
});

for (const [kind, seconds] of [
  ['ongoing', 60],
  ['job', 300],
] as const) {
  test(`the stream of a ${kind} is served for ${seconds} s after its end, and then it is gone`, async (t) => {
    const harness = new Harness(t);
    const { hlsUrl } = await harness.ended(kind);
    harness.clock.advance(seconds * 1000 - 1);
    assert.equal(await harness.statusOf(hlsUrl), 200);
    harness.clock.advance(1);
    assert.equal(await harness.statusOf(hlsUrl), 404);
  });
}

test('with more than 256 ended streams, the oldest is removed', async (t) => {
  const harness = new Harness(t);
  const oldest = await harness.ended();
  const next = await harness.ended();
  for (let i = 0; i < 255; i++) await harness.ended();
  assert.equal(await harness.statusOf(oldest.hlsUrl), 404);
  assert.equal(await harness.statusOf(next.hlsUrl), 200);
  assert.equal(harness.clock.waiting, 256);
});

test('with more than 512 MB of ended streams, the oldest is removed', async (t) => {
  const harness = new Harness(t);
  const streams: LiveStream[] = [];
  for (let i = 0; i < 13; i++) streams.push(await harness.ended('job', 'large'));
  const statuses = await Promise.all(streams.map(({ hlsUrl }) => harness.statusOf(hlsUrl)));
  assert.deepEqual(statuses, [404, ...Array<number>(12).fill(200)]);
});

test('a job that exceeds the size limit of a stream is ended', async (t) => {
  const stream = new Harness(t).open('job');
  stream.sign('large', null);
  stream.sign('large', null);
  await stream.ended;
});

for (const order of ['die', 'throw']) {
  test(`when a thread is made to ${order}, its streams end and the next stream gets a new thread`, async (t) => {
    t.mock.method(console, 'error', () => {});
    const harness = new Harness(t);
    const [first, second] = [harness.open(), harness.open()];
    await begun(first, 'hello');
    second.sign(order, null);
    await Promise.all([first.ended, second.ended]);
    assert.equal(harness.service.growing, 0);
    assert.equal(await harness.statusOf(first.hlsUrl), 200);
    // Orders for an ended stream have no effect.
    first.sign('hello', null);
    first.end();
    await begun(harness.open(), 'hello');
  });
}

/** A stream of an encoder outside the service, after the first reports of that encoder. */
function hosted(harness: Harness): HostedStream {
  const stream = harness.service.host();
  stream.begin(specOf());
  stream.hear({ kind: 'opened', init: new Uint8Array(1), codec: 'avc1.42c00d', origin: 0 });
  stream.hear({ kind: 'part', part: partOf({ frames: 50, endsSegment: true }), isLast: false });
  return stream;
}

test('a stream of an outside encoder is served as any other and does not count for the limit', async (t) => {
  const harness = new Harness(t);
  harness.limits = { ...harness.limits, live_streams: 1 };
  const stream = hosted(harness);
  assert.equal(harness.service.growing, 0);
  harness.open();
  for (const url of [stream.hlsUrl, stream.dashUrl]) assert.equal(await harness.statusOf(url), 200);
  stream.hear({ kind: 'ended', problem: null });
  assert.equal(await harness.statusOf(stream.hlsUrl), 200);
  harness.clock.advance(60_000);
  assert.equal(await harness.statusOf(stream.hlsUrl), 404);
});

test('a stream of an outside encoder answers 503 until it begins, and 404 when it fails before that', async (t) => {
  const harness = new Harness(t);
  const stream = harness.service.host();
  assert.equal(await harness.statusOf(stream.hlsUrl), 503);
  stream.hear({ kind: 'ended', problem: 'the encoder died' });
  assert.equal(await harness.statusOf(stream.hlsUrl), 404);
});

test('with `live_latency_seconds` a stream of an outside encoder begins, goes on and ends so much later, in order', async (t) => {
  const harness = new Harness(t);
  harness.limits = { ...harness.limits, live_latency_seconds: 10 };
  const stream = hosted(harness);
  harness.clock.advance(4_000);
  stream.hear({ kind: 'ended', problem: null });
  harness.clock.advance(5_999);
  assert.equal(await harness.statusOf(stream.hlsUrl), 503);
  harness.clock.advance(1);
  const dash = async (): Promise<string> => {
    const file = await harness.service.route.file(new URL(stream.dashUrl), new AbortController().signal);
    return 'bytes' in file ? Buffer.from(file.bytes).toString() : '';
  };
  assert.match(await dash(), /type="dynamic".* suggestedPresentationDelay="PT16S"/);
  harness.clock.advance(4_000);
  assert.match(await dash(), /type="static"/);
  harness.clock.advance(60_000);
  assert.equal(await harness.statusOf(stream.hlsUrl), 404);
});

test('closing does not wait for segments that the latency holds back', async (t) => {
  const harness = new Harness(t);
  harness.limits = { ...harness.limits, live_latency_seconds: 10 };
  const stream = hosted(harness);
  harness.clock.advance(10_000);
  await harness.service.close();
  stream.hear({ kind: 'ended', problem: null });
  assert.equal(harness.clock.waiting, 0);
});

test('closing removes the streams of outside encoders and refuses new ones', async (t) => {
  const harness = new Harness(t);
  const stream = hosted(harness);
  await harness.service.close();
  assert.equal(await harness.statusOf(stream.hlsUrl), 404);
  assert.equal(harness.clock.waiting, 0);
  assert.throws(() => harness.service.host(), StreamsFull);
});

test('closing ends and removes all streams and refuses new ones', async (t) => {
  const harness = new Harness(t);
  const stream = harness.open();
  const old = await harness.ended();
  await harness.service.close();
  await stream.ended;
  assert.equal(await harness.statusOf(stream.hlsUrl), 404);
  assert.equal(await harness.statusOf(old.hlsUrl), 404);
  assert.equal(harness.clock.waiting, 0);
  assert.throws(() => harness.open(), StreamsFull);
});

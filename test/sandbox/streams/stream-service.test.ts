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
import { partOf, specOf } from './stream-row.ts';
import { stamped } from '../stamped.ts';

class Desk {
  readonly clock = new ManualClock();
  readonly service: StreamService;
  limits = { ...defaultLimits, live_streams: 2 };
  #opened = 0;

  constructor(t: TestContext) {
    this.service = new StreamService({
      render: stamped,
      clock: this.clock,
      limits: () => this.limits,
      newId: () => String(++this.#opened).padStart(32, '0'),
      secret: 'secret',
      urlOf: (path, expires) => `http://media.test${presign('secret', path, expires)}`,
      threadUrl: new URL('./mortal-stream-worker.ts', import.meta.url),
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
  const { hlsUrl, dashUrl, cookies, id } = new Desk(t).open();
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
  const desk = new Desk(t);
  const { hlsUrl, dashUrl } = await desk.ended();
  for (const url of [hlsUrl, dashUrl]) {
    assert.equal(desk.service.route.permits(new URL(url)), true);
    assert.equal(await desk.statusOf(url), 200);
  }
  desk.clock.advance(24 * 3_600_000);
  assert.equal(desk.service.route.permits(new URL(hlsUrl)), false);
});

test('signing a text returns its length, and reports when it begins', async (t) => {
  const stream = new Desk(t).open();
  assert.equal(stream.sign('hello', 7), 7);
  await begun(stream, 'world');
});

test('a stream above the limit is refused until another stream has ended', async (t) => {
  const desk = new Desk(t);
  const first = desk.open();
  desk.open('job');
  assert.throws(() => desk.open(), StreamsFull);
  first.stop();
  await first.ended;
  assert.equal(desk.service.growing, 1);
  desk.open();
  assert.throws(() => desk.open(), StreamsFull);
  desk.limits = { ...desk.limits, live_streams: 3 };
  desk.open();
});

for (const [kind, seconds] of [
  ['ongoing', 60],
  ['job', 300],
] as const) {
  test(`${kind}: a stream is served for ${seconds} s after its end, then it is gone`, async (t) => {
    const desk = new Desk(t);
    const { hlsUrl } = await desk.ended(kind);
    desk.clock.advance(seconds * 1000 - 1);
    assert.equal(await desk.statusOf(hlsUrl), 200);
    desk.clock.advance(1);
    assert.equal(await desk.statusOf(hlsUrl), 404);
  });
}

test('with more than 256 ended streams, the oldest is removed', async (t) => {
  const desk = new Desk(t);
  const oldest = await desk.ended();
  const next = await desk.ended();
  for (let i = 0; i < 255; i++) await desk.ended();
  assert.equal(await desk.statusOf(oldest.hlsUrl), 404);
  assert.equal(await desk.statusOf(next.hlsUrl), 200);
  assert.equal(desk.clock.waiting, 256);
});

test('with more than 512 MB of ended streams, the oldest is removed', async (t) => {
  const desk = new Desk(t);
  const streams: LiveStream[] = [];
  for (let i = 0; i < 13; i++) streams.push(await desk.ended('job', 'large'));
  const statuses = await Promise.all(streams.map(({ hlsUrl }) => desk.statusOf(hlsUrl)));
  assert.deepEqual(statuses, [404, ...Array<number>(12).fill(200)]);
});

test('a job that exceeds the size limit of a stream is ended', async (t) => {
  const stream = new Desk(t).open('job');
  stream.sign('large', null);
  stream.sign('large', null);
  await stream.ended;
});

for (const order of ['die', 'throw']) {
  test(`when a thread is made to ${order}, its streams end and the next stream gets a new thread`, async (t) => {
    t.mock.method(console, 'error', () => {});
    const desk = new Desk(t);
    const [first, second] = [desk.open(), desk.open()];
    await begun(first, 'hello');
    second.sign(order, null);
    await Promise.all([first.ended, second.ended]);
    assert.equal(desk.service.growing, 0);
    assert.equal(await desk.statusOf(first.hlsUrl), 200);
    // Orders for an ended stream have no effect.
    first.sign('hello', null);
    first.end();
    await begun(desk.open(), 'hello');
  });
}

/** A stream of an encoder outside the service, after the first reports of that encoder. */
function hosted(desk: Desk): HostedStream {
  const stream = desk.service.host();
  stream.begin(specOf());
  stream.hear({ kind: 'opened', init: new Uint8Array(1), codec: 'avc1.42c00d', origin: 0 });
  stream.hear({ kind: 'part', part: partOf({ frames: 50, endsSegment: true }), isLast: false });
  return stream;
}

test('a stream of an outside encoder is served as any other and does not count for the limit', async (t) => {
  const desk = new Desk(t);
  desk.limits = { ...desk.limits, live_streams: 1 };
  const stream = hosted(desk);
  assert.equal(desk.service.growing, 0);
  desk.open();
  for (const url of [stream.hlsUrl, stream.dashUrl]) assert.equal(await desk.statusOf(url), 200);
  stream.hear({ kind: 'ended', problem: null });
  assert.equal(await desk.statusOf(stream.hlsUrl), 200);
  desk.clock.advance(60_000);
  assert.equal(await desk.statusOf(stream.hlsUrl), 404);
});

test('a stream of an outside encoder answers 503 until it begins, and 404 when it fails before that', async (t) => {
  const desk = new Desk(t);
  const stream = desk.service.host();
  assert.equal(await desk.statusOf(stream.hlsUrl), 503);
  stream.hear({ kind: 'ended', problem: 'the encoder died' });
  assert.equal(await desk.statusOf(stream.hlsUrl), 404);
});

test('closing removes the streams of outside encoders and refuses new ones', async (t) => {
  const desk = new Desk(t);
  const stream = hosted(desk);
  await desk.service.close();
  assert.equal(await desk.statusOf(stream.hlsUrl), 404);
  assert.equal(desk.clock.waiting, 0);
  assert.throws(() => desk.service.host(), StreamsFull);
});

test('closing ends and removes all streams and refuses new ones', async (t) => {
  const desk = new Desk(t);
  const stream = desk.open();
  const old = await desk.ended();
  await desk.service.close();
  await stream.ended;
  assert.equal(await desk.statusOf(stream.hlsUrl), 404);
  assert.equal(await desk.statusOf(old.hlsUrl), 404);
  assert.equal(desk.clock.waiting, 0);
  assert.throws(() => desk.open(), StreamsFull);
});

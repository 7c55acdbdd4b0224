// Streams on the media origin: addresses, signatures and waiting requests; the test adds the parts, and the clock is manual.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaFile, Refusal } from '../../../demo/sandbox/media/media-origin.ts';
import { AWAITED, Harness, HOUR, ID } from './route-harness.ts';
import { partOf, specOf } from './stream-parts.ts';
import { eachCase } from '../each-case.ts';

async function textOf(found: Promise<MediaFile | Refusal>): Promise<string> {
  const file = await found;
  assert.ok('bytes' in file, JSON.stringify(file));
  return Buffer.from(file.bytes).toString();
}

async function statusOf(found: Promise<MediaFile | Refusal>): Promise<number> {
  const file = await found;
  return 'status' in file ? file.status : 200;
}

/** Whether the request is answered without a new part and without a step of the clock. */
async function isAnswered(found: Promise<unknown>): Promise<boolean> {
  const first = await Promise.race([
    found.then(() => 'answer'),
    new Promise((r) => setImmediate(r, 'nothing')),
  ]);
  return first === 'answer';
}

test('a signature is valid for every file of its stream, and for no other stream', () => {
  const harness = new Harness();
  for (const name of ['stream.m3u8', 'manifest.mpd', 'init.mp4', '0.m4s', '7.3.m4s']) {
    assert.equal(harness.route.permits(harness.url(name)), true, name);
    assert.equal(harness.route.permits(harness.url(name, '&_HLS_msn=3')), true, name);
  }
  const other = harness.url('stream.m3u8');
  other.pathname = other.pathname.replace(/a/g, 'b');
  assert.equal(harness.route.permits(other), false);
  const unsigned = harness.url('stream.m3u8');
  unsigned.search = '';
  assert.equal(harness.route.permits(unsigned), false);
});

test('a signature expires', () => {
  const harness = new Harness();
  const url = harness.url('stream.m3u8');
  harness.clock.advance(HOUR - 1);
  assert.equal(harness.route.permits(url), true);
  harness.clock.advance(1);
  assert.equal(harness.route.permits(url), false);
});

test('only addresses of files in a stream belong to the route', () =>
  eachCase(
    [
      [`/streams/${ID}/stream.m3u8`, true],
      [`/streams/${ID}/0.m4s`, true],
      [`/streams/${ID}/`, false],
      [`/streams/${ID}/a/b`, false],
      [`/streams/${ID.slice(1)}/stream.m3u8`, false],
      [`/clips/${ID}.mp4`, false],
    ] as const,
    ([path, owned]) => {
      assert.equal(new Harness().route.owns(path), owned);
    },
  ));

test('files of a stream are served, missing ones are 404', () =>
  eachCase(
    [
      ['init.mp4', 200],
      ['0.m4s', 200],
      ['1.m4s', 404],
      ['0.9.m4s', 200],
      ['1.2.m4s', 200],
      ['1.4.m4s', 404],
      ['2.0.m4s', 404],
      ['0.ts', 404],
      ['0.mp4', 404],
      ['other.m3u8', 404],
      ['999999999.m4s', 404],
    ] as const,
    async ([name, status]) => {
      assert.equal(await statusOf(new Harness().add(13).get(name)), status);
    },
  ));

test('a stream that is gone is 404, and one that has not begun is 503', () =>
  eachCase(
    [
      ['is not there any more', 'b'.repeat(32), 404],
      ['has not begun yet', AWAITED, 503],
    ] as const,
    async ([, id, status]) => {
      const harness = new Harness();
      const url = new URL(harness.url('stream.m3u8').href.replace(ID, id));
      const answer = Promise.resolve(harness.route.file(url, new AbortController().signal));
      assert.equal(await statusOf(answer), status);
    },
  ));

test('a segment is the sequence of its parts, and MPEG-TS is served beside fragmented MP4', async () => {
  const harness = new Harness(specOf({ segmentType: 'ts' }));
  const [bytes, ts] = [Uint8Array.of(1, 2), Uint8Array.of(71, 3)];
  harness.stream.hear({
    kind: 'part',
    part: partOf({ bytes, ts, frames: 50, endsSegment: true }),
    isLast: false,
  });
  const files = (await Promise.all([harness.get('0.m4s'), harness.get('0.ts')])) as MediaFile[];
  assert.deepEqual(
    files.map((file) => [file.type, [...file.bytes]]),
    [
      ['video/mp4', [1, 2]],
      ['video/mp2t', [71, 3]],
    ],
  );
  const parted = new Harness().add(10);
  const whole = (await parted.get('0.m4s')) as MediaFile;
  assert.deepEqual(
    [...whole.bytes],
    [...Array(10).keys()].flatMap((part) => [part, part, part, part]),
  );
});

test('manifests have their types and may not be stored, and media may be cached for ever', async () => {
  const harness = new Harness().add(13);
  const headers = async (name: string) => {
    const { type, cacheControl } = (await harness.get(name)) as MediaFile;
    return [type, cacheControl];
  };
  assert.deepEqual(await headers('stream.m3u8'), ['application/vnd.apple.mpegurl', 'no-store']);
  assert.deepEqual(await headers('main.m3u8'), ['application/vnd.apple.mpegurl', 'no-store']);
  assert.deepEqual(await headers('manifest.mpd'), ['application/dash+xml', 'no-store']);
  for (const name of ['init.mp4', '0.m4s', '1.0.m4s']) {
    assert.deepEqual(await headers(name), ['video/mp4', 'private, max-age=3600, immutable']);
  }
});

test('a query that a player adds to an address does not appear in the manifest', async () => {
  const harness = new Harness().add(13);
  const [, query] = harness.url('').href.split('?');
  const text = await textOf(harness.get('stream.m3u8', '&_HLS_msn=1&_HLS_part=2&extra=1'));
  assert.ok(text.includes(`"1.2.m4s?${query}"`));
  assert.doesNotMatch(text, /extra|_HLS/);
});

test('a request for a manifest waits until the first segment is whole', async () => {
  for (const name of ['stream.m3u8', 'main.m3u8', 'manifest.mpd']) {
    const harness = new Harness();
    const found = harness.get(name);
    harness.add(9);
    assert.equal(await isAnswered(found), false, name);
    harness.stream.hear({ kind: 'part', part: partOf({ from: 45, endsSegment: true }), isLast: false });
    assert.equal(await statusOf(found), 200, name);
  }
});

test('a blocking reload is answered as soon as the requested segment or part exists', async () => {
  const harness = new Harness().add(13);
  const [part, segment] = [
    harness.get('stream.m3u8', '&_HLS_msn=1&_HLS_part=3'),
    harness.get('stream.m3u8', '&_HLS_msn=1'),
  ];
  assert.equal(await isAnswered(part), false);
  harness.stream.hear({ kind: 'part', part: partOf({ segment: 1, from: 65 }), isLast: false });
  assert.match(await textOf(part), /URI="1\.3\.m4s.*\n#EXT-X-PRELOAD-HINT.*1\.4\.m4s/);
  assert.equal(await isAnswered(segment), false);
  harness.stream.hear({
    kind: 'part',
    part: partOf({ segment: 1, from: 70, endsSegment: true }),
    isLast: false,
  });
  assert.match(await textOf(segment), /\n1\.m4s/);
});

test('a hinted part is answered as soon as it is there', async () => {
  const harness = new Harness().add(13);
  const found = harness.get('1.3.m4s');
  assert.equal(await isAnswered(found), false);
  harness.stream.hear({
    kind: 'part',
    part: partOf({ segment: 1, from: 65, bytes: Uint8Array.of(7) }),
    isLast: false,
  });
  assert.deepEqual([...((await found) as MediaFile).bytes], [7]);
});

test('a blocking reload that would wait too long, or that cannot be read, is 400', () =>
  eachCase(
    [
      ['&_HLS_msn=3', 400],
      ['&_HLS_msn=1&_HLS_part=90', 400],
      ['&_HLS_part=1', 400],
      ['&_HLS_msn=x', 400],
      ['&_HLS_msn=0', 200],
    ] as const,
    async ([query, status]) => {
      assert.equal(await statusOf(new Harness().add(13).get('stream.m3u8', query)), status);
    },
  ));

test('a playlist that is not low-latency does not block, for any query', async () => {
  const harness = new Harness(specOf({ lowLatency: false }));
  harness.stream.hear({ kind: 'part', part: partOf({ frames: 50, endsSegment: true }), isLast: false });
  assert.equal(await statusOf(harness.get('stream.m3u8', '&_HLS_msn=500')), 200);
});

test('no request waits longer than three target durations', async () => {
  for (const [name, query] of [
    ['stream.m3u8', '&_HLS_msn=1&_HLS_part=3'],
    ['1.3.m4s', ''],
  ] as const) {
    const harness = new Harness().add(13);
    const found = harness.get(name, query);
    harness.clock.advance(5999);
    assert.equal(await isAnswered(found), false);
    harness.clock.advance(1);
    assert.equal(await statusOf(found), 503);
    assert.equal(harness.clock.waiting, 0);
  }
});

test('the request of a client that disconnects stops waiting', async () => {
  const harness = new Harness().add(13);
  const found = harness.get('1.3.m4s');
  harness.leave();
  assert.equal(await statusOf(found), 503);
  assert.equal(harness.clock.waiting, 0);
});

test('the end of a stream answers all waiting requests', async () => {
  const harness = new Harness().add(13);
  const playlist = harness.get('stream.m3u8', '&_HLS_msn=2');
  const part = harness.get('1.3.m4s');
  harness.stream.hear({ kind: 'ended', problem: null });
  assert.match(await textOf(playlist), /#EXT-X-ENDLIST/);
  assert.equal(await statusOf(part), 404);
  assert.equal(await statusOf(harness.get('stream.m3u8', '&_HLS_msn=500')), 200);
  assert.equal(harness.clock.waiting, 0);
});

test('after the last part there is no preload hint, and the next blocking reload shows the end', async () => {
  const harness = new Harness().add(13);
  const last = harness.get('stream.m3u8', '&_HLS_msn=1&_HLS_part=3');
  harness.stream.hear({
    kind: 'part',
    part: partOf({ segment: 1, from: 65, endsSegment: true }),
    isLast: true,
  });
  harness.stream.hear({ kind: 'ended', problem: null });
  await harness.stream.ended;
  const text = await textOf(last);
  assert.match(text, /URI="1\.3\.m4s[^]*\n1\.m4s/);
  assert.doesNotMatch(text, /PRELOAD-HINT|ENDLIST/);
  assert.match(await textOf(harness.get('stream.m3u8', '&_HLS_msn=2&_HLS_part=0')), /\n#EXT-X-ENDLIST/);
  assert.match(await textOf(harness.get('stream.m3u8')), /\n#EXT-X-ENDLIST/);
  assert.equal(harness.clock.waiting, 0);
});

test('at most 256 requests wait for one stream; the next one is 503', async () => {
  const harness = new Harness().add(13);
  const waiting = Array.from({ length: 256 }, () => harness.get('1.3.m4s'));
  assert.equal(await statusOf(harness.get('1.3.m4s')), 503);
  harness.leave();
  assert.deepEqual(new Set(await Promise.all(waiting.map(statusOf))), new Set([503]));
});

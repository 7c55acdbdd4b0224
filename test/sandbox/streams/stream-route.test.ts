// Streams on the media origin: addresses, signatures, and what is waited for; parts come by hand, the clock is moved by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaFile, Refusal } from '../../../demo/sandbox/media/media-origin.ts';
import { AWAITED, Desk, HOUR, ID } from './route-desk.ts';
import { partOf, specOf } from './stream-row.ts';
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

/** Whether it is answered without anything more happening. */
async function isAnswered(found: Promise<unknown>): Promise<boolean> {
  const first = await Promise.race([
    found.then(() => 'answer'),
    new Promise((r) => setImmediate(r, 'nothing')),
  ]);
  return first === 'answer';
}

test('one signature holds for every file of its stream, and for no other stream', () => {
  const desk = new Desk();
  for (const name of ['stream.m3u8', 'manifest.mpd', 'init.mp4', '0.m4s', '7.3.m4s']) {
    assert.equal(desk.route.permits(desk.url(name)), true, name);
    assert.equal(desk.route.permits(desk.url(name, '&_HLS_msn=3')), true, name);
  }
  const other = desk.url('stream.m3u8');
  other.pathname = other.pathname.replace(/a/g, 'b');
  assert.equal(desk.route.permits(other), false);
  const unsigned = desk.url('stream.m3u8');
  unsigned.search = '';
  assert.equal(desk.route.permits(unsigned), false);
});

test('a signature expires', () => {
  const desk = new Desk();
  const url = desk.url('stream.m3u8');
  desk.clock.advance(HOUR - 1);
  assert.equal(desk.route.permits(url), true);
  desk.clock.advance(1);
  assert.equal(desk.route.permits(url), false);
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
      assert.equal(new Desk().route.owns(path), owned);
    },
  ));

test('what is in a stream is served, what is not there is 404', () =>
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
      assert.equal(await statusOf(new Desk().add(13).get(name)), status);
    },
  ));

test('a stream that has gone is 404, one that has not begun is 503', () =>
  eachCase(
    [
      ['is not there any more', 'b'.repeat(32), 404],
      ['has not begun yet', AWAITED, 503],
    ] as const,
    async ([, id, status]) => {
      const desk = new Desk();
      const url = new URL(desk.url('stream.m3u8').href.replace(ID, id));
      const answer = Promise.resolve(desk.route.file(url, new AbortController().signal));
      assert.equal(await statusOf(answer), status);
    },
  ));

test('a segment is its parts in a row, and MPEG-TS is served beside fragmented MP4', async () => {
  const desk = new Desk(specOf({ segmentType: 'ts' }));
  const [bytes, ts] = [Uint8Array.of(1, 2), Uint8Array.of(71, 3)];
  desk.stream.hear({
    kind: 'part',
    part: partOf({ bytes, ts, frames: 50, endsSegment: true }),
    isLast: false,
  });
  const files = (await Promise.all([desk.get('0.m4s'), desk.get('0.ts')])) as MediaFile[];
  assert.deepEqual(
    files.map((file) => [file.type, [...file.bytes]]),
    [
      ['video/mp4', [1, 2]],
      ['video/mp2t', [71, 3]],
    ],
  );
  const parted = new Desk().add(10);
  const whole = (await parted.get('0.m4s')) as MediaFile;
  assert.deepEqual(
    [...whole.bytes],
    [...Array(10).keys()].flatMap((part) => [part, part, part, part]),
  );
});

test('manifests have their types and are not stored, media never change', async () => {
  const desk = new Desk().add(13);
  const headers = async (name: string) => {
    const { type, cacheControl } = (await desk.get(name)) as MediaFile;
    return [type, cacheControl];
  };
  assert.deepEqual(await headers('stream.m3u8'), ['application/vnd.apple.mpegurl', 'no-store']);
  assert.deepEqual(await headers('main.m3u8'), ['application/vnd.apple.mpegurl', 'no-store']);
  assert.deepEqual(await headers('manifest.mpd'), ['application/dash+xml', 'no-store']);
  for (const name of ['init.mp4', '0.m4s', '1.0.m4s']) {
    assert.deepEqual(await headers(name), ['video/mp4', 'private, max-age=3600, immutable']);
  }
});

test('what a player adds to an address does not go into the manifest', async () => {
  const desk = new Desk().add(13);
  const [, query] = desk.url('').href.split('?');
  const text = await textOf(desk.get('stream.m3u8', '&_HLS_msn=1&_HLS_part=2&extra=1'));
  assert.ok(text.includes(`"1.2.m4s?${query}"`));
  assert.doesNotMatch(text, /extra|_HLS/);
});

test('a manifest is waited for until the first segment is whole', async () => {
  for (const name of ['stream.m3u8', 'main.m3u8', 'manifest.mpd']) {
    const desk = new Desk();
    const found = desk.get(name);
    desk.add(9);
    assert.equal(await isAnswered(found), false, name);
    desk.stream.hear({ kind: 'part', part: partOf({ from: 45, endsSegment: true }), isLast: false });
    assert.equal(await statusOf(found), 200, name);
  }
});

test('a blocking reload is answered as soon as what it asks for is there', async () => {
  const desk = new Desk().add(13);
  const [part, segment] = [
    desk.get('stream.m3u8', '&_HLS_msn=1&_HLS_part=3'),
    desk.get('stream.m3u8', '&_HLS_msn=1'),
  ];
  assert.equal(await isAnswered(part), false);
  desk.stream.hear({ kind: 'part', part: partOf({ segment: 1, from: 65 }), isLast: false });
  assert.match(await textOf(part), /URI="1\.3\.m4s.*\n#EXT-X-PRELOAD-HINT.*1\.4\.m4s/);
  assert.equal(await isAnswered(segment), false);
  desk.stream.hear({
    kind: 'part',
    part: partOf({ segment: 1, from: 70, endsSegment: true }),
    isLast: false,
  });
  assert.match(await textOf(segment), /\n1\.m4s/);
});

test('a hinted part is answered as soon as it is there', async () => {
  const desk = new Desk().add(13);
  const found = desk.get('1.3.m4s');
  assert.equal(await isAnswered(found), false);
  desk.stream.hear({
    kind: 'part',
    part: partOf({ segment: 1, from: 65, bytes: Uint8Array.of(7) }),
    isLast: false,
  });
  assert.deepEqual([...((await found) as MediaFile).bytes], [7]);
});

test('a playlist that cannot be waited for is 400', () =>
  eachCase(
    [
      ['&_HLS_msn=3', 400],
      ['&_HLS_msn=1&_HLS_part=90', 400],
      ['&_HLS_part=1', 400],
      ['&_HLS_msn=x', 400],
      ['&_HLS_msn=0', 200],
    ] as const,
    async ([query, status]) => {
      assert.equal(await statusOf(new Desk().add(13).get('stream.m3u8', query)), status);
    },
  ));

test('a plain playlist does not wait, whatever is asked for', async () => {
  const desk = new Desk(specOf({ lowLatency: false }));
  desk.stream.hear({ kind: 'part', part: partOf({ frames: 50, endsSegment: true }), isLast: false });
  assert.equal(await statusOf(desk.get('stream.m3u8', '&_HLS_msn=500')), 200);
});

test('nothing is waited for longer than three target durations', async () => {
  for (const [name, query] of [
    ['stream.m3u8', '&_HLS_msn=1&_HLS_part=3'],
    ['1.3.m4s', ''],
  ] as const) {
    const desk = new Desk().add(13);
    const found = desk.get(name, query);
    desk.clock.advance(5999);
    assert.equal(await isAnswered(found), false);
    desk.clock.advance(1);
    assert.equal(await statusOf(found), 503);
    assert.equal(desk.clock.waiting, 0);
  }
});

test('a client that goes away is waited for no longer', async () => {
  const desk = new Desk().add(13);
  const found = desk.get('1.3.m4s');
  desk.leave();
  assert.equal(await statusOf(found), 503);
  assert.equal(desk.clock.waiting, 0);
});

test('the end of a stream answers all who wait', async () => {
  const desk = new Desk().add(13);
  const playlist = desk.get('stream.m3u8', '&_HLS_msn=2');
  const part = desk.get('1.3.m4s');
  desk.stream.hear({ kind: 'ended', problem: null });
  assert.match(await textOf(playlist), /#EXT-X-ENDLIST/);
  assert.equal(await statusOf(part), 404);
  assert.equal(await statusOf(desk.get('stream.m3u8', '&_HLS_msn=500')), 200);
  assert.equal(desk.clock.waiting, 0);
});

test('behind the last part no other is hinted at, and the end is told half a target duration later', async () => {
  const desk = new Desk().add(13);
  const last = desk.get('stream.m3u8', '&_HLS_msn=1&_HLS_part=3');
  desk.stream.hear({ kind: 'part', part: partOf({ segment: 1, from: 65, endsSegment: true }), isLast: true });
  desk.stream.hear({ kind: 'ended', problem: null });
  await desk.stream.ended;
  const text = await textOf(last);
  assert.match(text, /URI="1\.3\.m4s[^]*\n1\.m4s/);
  assert.doesNotMatch(text, /PRELOAD-HINT|ENDLIST/);
  const end = desk.get('stream.m3u8', '&_HLS_msn=2&_HLS_part=0');
  desk.clock.advance(999);
  assert.equal(await isAnswered(end), false);
  desk.clock.advance(1);
  assert.match(await textOf(end), /\n#EXT-X-ENDLIST/);
  assert.equal(desk.clock.waiting, 0);
});

test('more than 256 do not wait for one stream', async () => {
  const desk = new Desk().add(13);
  const waiting = Array.from({ length: 256 }, () => desk.get('1.3.m4s'));
  assert.equal(await statusOf(desk.get('1.3.m4s')), 503);
  desk.leave();
  assert.deepEqual(new Set(await Promise.all(waiting.map(statusOf))), new Set([503]));
});

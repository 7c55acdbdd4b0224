// A live session as a viewer may see it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { parseLiveSession } from '../../src/protocol/live-session.ts';

const whole = {
  sessionId: 'l-1',
  status: 'active',
  sourceType: 'RTMP_PUSH',
  outputType: 'HLS',
  pictureInPicture: true,
  language: 'BSL',
  signer: 'RAE',
  rtmpEndpoints: ['rtmp://ingest.test/key'],
  ingestUrl: 'srt://ingest.test',
  srtPassphrase: 'a passphrase',
  outputManifestUrl: 'https://cdn.test/l.m3u8',
  manifests: {
    hls: 'https://cdn.test/l.m3u8',
    dash: 'https://cdn.test/l.mpd',
    pip: 'https://cdn.test/pip.m3u8',
  },
  startedAt: '2026-01-01T00:00:00Z',
};

test('only the fields that a viewer needs are read', () => {
  assert.deepEqual(parseLiveSession(whole), {
    sessionId: 'l-1',
    status: 'active',
    outputType: 'HLS',
    language: 'BSL',
    signer: 'RAE',
    pictureInPicture: true,
    manifests: whole.manifests,
    startedAt: '2026-01-01T00:00:00Z',
    stoppedAt: null,
    error: null,
  });
});

test('a session with an id alone has no manifests', () => {
  assert.deepEqual(parseLiveSession({ sessionId: 'l-1', status: 'ended', error: 'gone' }), {
    sessionId: 'l-1',
    status: 'ended',
    outputType: null,
    language: null,
    signer: null,
    pictureInPicture: false,
    manifests: { hls: null, dash: null, pip: null },
    startedAt: null,
    stoppedAt: null,
    error: 'gone',
  });
});

test('an empty string reads as null: a session that ended with an empty error has not failed', () => {
  const { startedAt, stoppedAt, error } = parseLiveSession({
    ...whole,
    startedAt: '',
    stoppedAt: '',
    error: '',
  })!;
  assert.deepEqual([startedAt, stoppedAt, error], [null, null, null]);
});

test('a null in place of a value that may be missing does not hide the session', () => {
  assert.deepEqual(
    parseLiveSession({ ...whole, pictureInPicture: null, manifests: null, startedAt: null, error: null }),
    parseLiveSession({ ...whole, pictureInPicture: false, manifests: {}, startedAt: '' }),
  );
});

test('outputManifestUrl is used when the manifests are missing', () => {
  assert.equal(parseLiveSession({ ...whole, manifests: undefined })?.manifests.hls, whole.outputManifestUrl);
});

test('an address that is not http(s) reads as null', () => {
  const manifests = { hls: 'javascript:alert(1)', dash: 'https://cdn.test/l.mpd', pip: 7 };
  assert.deepEqual(parseLiveSession({ sessionId: 'l-1', status: 'active', manifests })?.manifests, {
    hls: null,
    dash: 'https://cdn.test/l.mpd',
    pip: null,
  });
});

for (const body of [null, [], 'l-1', {}, { sessionId: 'l-1' }, { sessionId: 1, status: 'active' }]) {
  test(`${JSON.stringify(body)} is no live session`, () => assert.equal(parseLiveSession(body), null));
}

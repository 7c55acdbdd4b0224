// Which manifest of a stream is played.
import assert from 'node:assert/strict';
import test from 'node:test';
import { chooseStream } from '../../../src/playback/live/engine.ts';

const hls = 'https://media.example/live/main.m3u8';
const dash = 'https://media.example/live/manifest.mpd';

test('HLS is preferred to DASH, unless the page requests DASH', () => {
  assert.deepEqual(chooseStream({ hls, dash }, 'auto'), { url: hls, format: 'hls' });
  assert.deepEqual(chooseStream({ hls, dash }, 'hls'), { url: hls, format: 'hls' });
  assert.deepEqual(chooseStream({ hls, dash }, 'dash'), { url: dash, format: 'dash' });
});

test('the only manifest is played, whichever protocol the page requests', () => {
  assert.deepEqual(chooseStream({ hls: null, dash }, 'hls'), { url: dash, format: 'dash' });
  assert.deepEqual(chooseStream({ hls, dash: null }, 'dash'), { url: hls, format: 'hls' });
  assert.equal(chooseStream({ hls: null, dash: null }, 'auto'), null);
});

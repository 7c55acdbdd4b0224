// The remuxer, checked by FFmpeg and mediabunny: each of them reads the same samples from every clip after remuxing as before it.
// - Times count from the first frame that is shown, whose time the remuxer reports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { valid } from './changed-clips.ts';
import { clipsOf } from './clip-changes.ts';
import { makeClips, type ClipFile } from './clip-files.ts';
import { ffmpegSees, fromZero, mediabunnySees } from './oracles.ts';

const refused = new Set(['MPEG-4 part 2.mp4', 'sound alone.mp4', 'cut between key frames.mp4']);
/**
 * Clips of which mediabunny reads only the index, or more than the edit list shows: only samples that both tools see are compared.
 */
const halfRead = new Set(['fragments behind an index.mp4', 'an edit that ends before the last group']);

const made = await makeClips();
const base = made.find(({ name }) => name === 'index behind, with sound.mp4')!.bytes;
const clips: ClipFile[] = [...made.filter(({ name }) => !refused.has(name)), ...clipsOf(base, valid)];

test('at least 40 files are compared', () => {
  assert.ok(clips.length >= 40, `${clips.length} clips`);
});

for (const { name, bytes } of clips) {
  test(`every sample of ${name} keeps its time, length, size, key flag and bytes`, async () => {
    const { init, media, durationSeconds, firstFrameAt } = remux(bytes);
    const remuxed = Buffer.concat([init, media]);
    const [before, after] = [ffmpegSees(bytes), ffmpegSees(remuxed)];
    assert.deepEqual(after, before, 'FFmpeg reads the same before and after');
    const seen = await mediabunnySees(remuxed, firstFrameAt);
    const expected = fromZero(await mediabunnySees(bytes));
    const judged = halfRead.has(name) ? Math.min(seen.length, expected.length) : Infinity;
    assert.deepEqual(
      seen.slice(0, judged),
      expected.slice(0, judged),
      'mediabunny reads the same before and after',
    );
    assert.deepEqual(
      seen.map(({ md5 }) => md5),
      before.map(({ md5 }) => md5),
      'mediabunny reads after remuxing what FFmpeg reads before it',
    );
    const end = Math.max(...seen.map(({ time, duration }) => time + duration));
    assert.equal(Math.round(durationSeconds * 1e6), end);
  });
}

// HE-AAC passes the source contract (document 2), and its header distinguishes it from AAC-LC.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { probeSource } from '../../../demo/sandbox/live/source/source-probe.ts';
import { listening } from '../../listening.ts';
import { ManualClock } from '../manual-clock.ts';
import { heAac, tone24k } from './he-aac.ts';
import { aac, everyTwoSeconds, h264, makeSource, picture } from './encoded-source.ts';

test('a source that declares SBR is HE-AAC and passes', async (t) => {
  const args = [...picture, ...tone24k, '-t', '2', ...h264, ...everyTwoSeconds, ...aac];
  const made = await makeSource(args, ['-hls_segment_type', 'fmp4']);
  for (const [files, profile] of [
    [made, 'AAC-LC'],
    [heAac(made), 'HE-AAC'],
  ] as const) {
    const origin = await listening(
      t,
      createServer((request, response) => {
        response.end(files.get((request.url ?? '').slice(1)));
      }),
    );
    const goesOn = new AbortController().signal;
    const { treatment, facts } = await probeSource(`${origin}/index.m3u8`, new ManualClock(), goesOn);
    assert.deepEqual([treatment, facts.audio?.profile], ['pass', profile]);
  }
});

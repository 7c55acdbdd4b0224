// Hostile bytes of a source, probed in a process of its own.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { LiveError } from '../../../../demo/sandbox/live/live-error.ts';
import { ProbeProcess, mustNormalise } from '../../../../demo/sandbox/live/source/source-probe.ts';
import { listening } from '../../../listening.ts';
import { until } from '../../../until.ts';
import { ManualClock } from '../../manual-clock.ts';
import { aac, h264, makeSource, picture, tone } from '../encoded-source.ts';
import { fragmentOf } from './boxes.ts';

const never = new AbortController().signal;
const children = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind.startsWith('Process')).length;

test('a segment of 88 bytes that claims four billion samples makes its source incompatible and has no other effect', async (t) => {
  const made = await makeSource(
    [...picture, ...tone, '-t', '1', ...h264, ...aac],
    ['-hls_segment_type', 'fmp4'],
  );
  const [segment] = [...made.keys()].filter((name) => name.endsWith('.m4s'));
  const files = new Map([...made, [segment!, fragmentOf(0xffff_ffff)]]);
  const origin = await listening(
    t,
    createServer((request, response) => {
      response.end(files.get((request.url ?? '').slice(1)));
    }),
  );
  const before = children();
  const request = {
    sourceType: 'HLS_PULL',
    outputType: 'HLS',
    pictureInPicture: true,
    hlsSourceUrl: `${origin}/index.m3u8`,
    language: 'BSL',
    signer: 'RAE',
  } as const;
  await assert.rejects(mustNormalise(request, new ManualClock(), never), (error) => {
    assert.ok(error instanceof LiveError, String(error));
    assert.deepEqual([error.code, error.details?.['dimension']], ['HLS_INPUT_INCOMPATIBLE', 'container']);
    return true;
  });
  // A process that has exited is forgotten a moment later.
  await until(() => children() <= before);
});

test('a source whose probing exceeds its time cannot be read', async (t) => {
  const over = new AbortController();
  const look = new ProbeProcess(over.signal);
  t.after(() => look.close());
  const seen = look.add({ bytes: fragmentOf(1), init: null, seconds: 1 });
  over.abort();
  assert.equal(await seen, null);
  assert.equal(await look.add({ bytes: fragmentOf(1), init: null, seconds: 1 }), null);
});

// Hostile bytes of a source, probed in a process of its own.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { LiveError } from '../../../../demo/sandbox/live/live-error.ts';
import {
  ProbeProcess,
  mustNormalise,
  probeSource,
} from '../../../../demo/sandbox/live/source/source-probe.ts';
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
  // A process that has exited disappears from the list a moment later.
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

test('the probe of a source that is fetched in time and not read within 60 s in all fails for that reason', async (t) => {
  let isServed = false;
  /** Lets sixty seconds pass when the segment has been fetched, before the process that reads it can have answered. */
  class PassingClock extends ManualClock {
    override after(ms: number, run: () => void): () => void {
      const cancel = super.after(ms, run);
      return () => {
        cancel();
        if (isServed) setImmediate(() => this.advance(60_000));
      };
    }
  }
  const text = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXTINF:1,', '0.m4s'].join('\n');
  const origin = await listening(
    t,
    createServer((request, response) => {
      isServed = request.url === '/0.m4s';
      response.end(isServed ? fragmentOf(1) : text);
    }),
  );
  await assert.rejects(probeSource(`${origin}/index.m3u8`, new PassingClock(), never), (error) => {
    assert.ok(error instanceof LiveError, String(error));
    assert.equal(error.code, 'HLS_INPUT_UNREACHABLE');
    const reason = 'takes more than 60 s in all';
    assert.deepEqual(error.details, { url: `${origin}/0.m4s`, reason });
    return true;
  });
});

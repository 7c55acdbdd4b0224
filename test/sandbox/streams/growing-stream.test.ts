// The dates in the manifests of a growing stream.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingStream } from '../../../demo/sandbox/streams/growing-stream.ts';
import { systemClock } from '../../../demo/sandbox/clock.ts';
import { specOf } from './stream-parts.ts';

test('dates are as far ahead of the machine’s time as the sandbox’s clock was when the stream was opened', () => {
  const stream = new GrowingStream(specOf(), systemClock, 400_000);
  stream.hear({ kind: 'opened', init: new Uint8Array(), codec: 'avc1.42c01f', origin: 1_000_000 });
  assert.equal(stream.view('')?.origin, 1_400_000);
});

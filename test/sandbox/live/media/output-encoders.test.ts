// The two streams of a session are encoded in this process, which is blocked for a while.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputEncoders } from '../../../../demo/sandbox/live/media/output-encoders.ts';
import type { StreamName } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { scriptOf } from '../../../../demo/sandbox/painter/script.ts';
import { clipId } from '../../../../demo/sandbox/stamp.ts';
import type { StreamReport } from '../../../../demo/sandbox/streams/stream-spec.ts';
import { until } from '../../../until.ts';
import { decodeClip } from '../../media/decode-clip.ts';
import { stampOf } from '../../media/media-spec.ts';

const TEXT = 'Hello';
const FRAME_MS = 40;
/** Longer than the delay after which a stream jumps, and longer than the first segment. */
const STILL_MS = 2500;

const standStill = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** When the text begins in a stream, milliseconds since 1970. */
async function beginOf(reports: readonly StreamReport[]): Promise<number> {
  const opened = reports.find(({ kind }) => kind === 'opened');
  assert.ok(opened?.kind === 'opened');
  const parts = reports.flatMap((report) => (report.kind === 'part' ? report.part : []));
  const bytes = Buffer.concat([opened.init, ...parts.map((part) => part.bytes)]);
  const { pictures, times } = await decodeClip(bytes);
  const at = pictures.map(stampOf).findIndex((stamp) => stamp?.clip === clipId(TEXT) && stamp.frame === 0);
  assert.ok(at >= 0, 'it is signed');
  return opened.origin + times[at]! * 1000;
}

/** The difference in ms between the starts of a sentence in both streams, when the machine stalls while the composite opens. */
async function distance(encodingMs: number): Promise<number> {
  const reports: Record<StreamName, StreamReport[]> = { signer: [], composite: [] };
  let isDue = false;
  let hasStalled = false;
  const screens = new OutputEncoders({
    signer: 'RAE',
    size: { width: 640, height: 360 },
    stamp: true,
    begun: () => {},
    report: (stream, report) => void reports[stream].push(report),
    before: () => {
      if (isDue) screens.sign(scriptOf(TEXT, null));
      isDue = false;
    },
    failed: (error) => assert.fail(String(error)),
    tap: (encoder) => ({
      description: encoder.description,
      encode(paint) {
        if (hasStalled && isDue) standStill(encodingMs);
        return encoder.encode(paint);
      },
      flush: () => encoder.flush(),
      close: () => encoder.close(),
    }),
  });
  await until(() => reports.signer.filter(({ kind }) => kind === 'part').length > 5);
  screens.openComposite({ width: 320, height: 180 }, { at: () => null, note: '' });
  isDue = true;
  standStill(STILL_MS);
  hasStalled = true;
  await until(() => Object.values(reports).every((all) => all.some(({ kind }) => kind === 'begun')));
  screens.stop();
  return Math.abs((await beginOf(reports.signer)) - (await beginOf(reports.composite)));
}

test('a sentence begins at the same moment in both streams, also when the machine stalls while the composite opens', async () => {
  assert.ok((await distance(0)) < FRAME_MS);
});

test('a sentence begins at the same moment in both streams when the signer’s frames take longer to encode than a frame lasts', async () => {
  assert.ok((await distance(2 * FRAME_MS)) < FRAME_MS);
});

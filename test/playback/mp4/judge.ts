// Checks what the remuxer returns for any file.
// - It returns a consistent file whose size is in proportion to the input, or throws a RemuxError and allocates less than a
//   megabyte.
import assert from 'node:assert/strict';
import { RemuxError } from '../../../src/playback/mp4/boxes.ts';
import { remux, type Remuxed } from '../../../src/playback/mp4/remux.ts';
import { allOf, readBoxes, theBox, type Box } from './box-tree.ts';

const words = ({ content }: Box): DataView =>
  new DataView(content.buffer, content.byteOffset, content.byteLength);

/** The segments must be consistent for any input, and not much larger than it. */
function expectWhole({ mimeType, init, media, durationSeconds }: Remuxed, fileSize: number): void {
  assert.match(mimeType, /^video\/mp4; codecs="\w{4}\.[\w.]+"$/);
  assert.ok(durationSeconds > 0 && Number.isFinite(durationSeconds), `it lasts ${durationSeconds} s`);
  assert.deepEqual(
    readBoxes(init).map(({ type }) => type),
    ['ftyp', 'moov'],
  );
  assert.ok(init.length < fileSize + 1000, `${init.length} bytes of a file of ${fileSize}`);
  const boxes = readBoxes(media);
  assert.deepEqual(
    boxes.map(({ type }) => type),
    ['moof', 'mdat'],
  );
  assert.equal(allOf(boxes, 'trun').length, 1);
  const run = words(theBox(boxes, 'trun'));
  const [flags, count] = [run.getUint32(0), run.getUint32(4)];
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag);
  const field = (i: number, flag: number): number => 12 + (i * fields.length + fields.indexOf(flag)) * 4;
  let bytes = 0;
  for (let i = 0; i < count; i++) {
    bytes += run.getUint32(field(i, 0x200));
    if (flags & 0x800)
      assert.ok(run.getInt32(field(i, 0x800)) >= 0, 'no frame is shown before it is decoded');
  }
  const mdat = theBox(boxes, 'mdat');
  assert.equal(bytes, mdat.content.length, 'all data belong to samples');
  assert.equal(run.getInt32(8), mdat.from, 'the samples begin where the data do');
  assert.ok(bytes <= fileSize && count <= bytes, `${count} samples, ${bytes} bytes of a file of ${fileSize}`);
}

const held = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const MEGABYTE = 2 ** 20;
/** Number of tries: some include what the JavaScript engine needs, to compile in the background for example. */
const TRIES = 20;

interface Verdict {
  readonly outcome: 'remuxed' | RemuxError['kind'];
  /** Allocated bytes; too few when the garbage collector ran in between. */
  readonly allocated: number;
  /** Milliseconds. */
  readonly took: number;
}

function answerTo(bytes: Uint8Array): Remuxed | RemuxError {
  try {
    return remux(bytes);
  } catch (error) {
    if (error instanceof RemuxError) return error;
    throw error;
  }
}

/** @throws AssertionError for a result that is not allowed; any other error of the remuxer */
export function judge(bytes: Uint8Array): Verdict {
  for (let tries = 1; ; tries++) {
    const [before, start] = [held(), performance.now()];
    const answer = answerTo(bytes);
    const took = performance.now() - start;
    const allocated = held() - before;
    if (!(answer instanceof RemuxError)) {
      expectWhole(answer, bytes.length);
      return { outcome: 'remuxed', allocated, took };
    }
    if (allocated < MEGABYTE) return { outcome: answer.kind, allocated, took };
    assert.ok(tries < TRIES, `${allocated} bytes for a file of ${bytes.length} that was refused`);
  }
}

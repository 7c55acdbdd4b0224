// The order of opening, seeking and appending, on a fake video and a fake source that only record their calls.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { SourceBufferQueue } from '../../src/playback/source-buffer-queue.ts';

const clip = { mimeType: 'video/mp4', init: new Uint8Array(1), media: new Uint8Array(1), firstFrameAt: 0 };

function harness(t: TestContext) {
  const calls: string[] = [];
  class Buffer extends EventTarget {
    timestampOffset = 0;
    appendBuffer(): void {
      calls.push(`append at ${this.timestampOffset}`);
      queueMicrotask(() => this.dispatchEvent(new Event('updateend')));
    }
  }
  class Source extends EventTarget {
    readyState = 'open';
    readonly #buffer = new Buffer();
    constructor() {
      super();
      queueMicrotask(() => this.dispatchEvent(new Event('sourceopen')));
    }
    set duration(_: number) {
      // MSE 3.15.2: an operation on a buffer opens a source that has ended.
      this.readyState = 'open';
    }
    addSourceBuffer(): Buffer {
      return this.#buffer;
    }
    endOfStream(): void {
      calls.push('end');
      this.readyState = 'ended';
    }
  }
  class Video extends EventTarget {
    src = '';
    set currentTime(second: number) {
      calls.push(`seek to ${second}`);
    }
  }
  t.mock.method(URL, 'createObjectURL', () => 'blob:');
  const queue = new SourceBufferQueue(
    new Video() as unknown as HTMLVideoElement,
    Source as unknown as typeof MediaSource,
  );
  return { queue, calls };
}

test('before an append to a source that has ended the video seeks there, because GStreamer fails otherwise', async (t) => {
  const { queue, calls } = harness(t);
  await queue.append(clip, 10);
  queue.end();
  await queue.append(clip, 11.04);
  assert.deepEqual(calls, ['append at 10', 'seek to 10', 'end', 'seek to 11.04', 'append at 11.04']);
});

test('media before the end is appended without a seek, because a seek would interrupt playback', async (t) => {
  const { queue, calls } = harness(t);
  await queue.append(clip, 10);
  await queue.append(clip, 11.04);
  assert.deepEqual(calls, ['append at 10', 'seek to 10', 'append at 11.04']);
});

test('a clip whose first frame is shown after its decoding has begun is appended earlier by as much', async (t) => {
  const { queue, calls } = harness(t);
  await queue.append({ ...clip, firstFrameAt: 0.5 }, 10);
  assert.deepEqual(calls, ['append at 9.5', 'seek to 10']);
});

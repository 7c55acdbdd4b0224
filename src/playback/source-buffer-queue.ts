// One SourceBuffer with its MediaSource, which allow one operation at a time.
// - MediaSource where there is one, else ManagedMediaSource (iPhone).
// - The timeline has no end (duration Infinity) until `end()`, and has none again after the next append.
// - After the first append the video seeks to what was appended, because the timeline does not begin at 0.
// - Before an append to a source that has ended the video seeks to where it will be: without a seek GStreamer fails (WebKitGTK
//   2.50, webkit.org/b/313814).
// - A full buffer is a QuotaExceededError, which the caller handles.
import { joinBytes } from './mp4/join-bytes.ts';
import type { Remuxed } from './mp4/remux.ts';

type SourceClass = typeof MediaSource;

/** The MediaSource class of this browser; null where there is none. */
export function mediaSourceClass(): SourceClass | null {
  const { MediaSource, ManagedMediaSource } = globalThis as {
    MediaSource?: SourceClass;
    ManagedMediaSource?: SourceClass;
  };
  return MediaSource ?? ManagedMediaSource ?? null;
}

/** One clip: its init segment, its frames, and the second of them at which the first one is shown. */
type Fragments = Pick<Remuxed, 'mimeType' | 'init' | 'media' | 'firstFrameAt'>;

export class SourceBufferQueue {
  readonly #video: HTMLVideoElement;
  readonly #source: MediaSource;
  readonly #open: Promise<void>;
  #buffer: SourceBuffer | null = null;
  #mimeType = '';

  /** Attaches a source to `video`, which has none; the video's `error` event reports a failure. */
  constructor(video: HTMLVideoElement, Source: SourceClass) {
    this.#video = video;
    this.#source = new Source();
    const url = URL.createObjectURL(this.#source);
    this.#open = new Promise((resolve, reject) => {
      this.#source.addEventListener('sourceopen', () => resolve(), { once: true });
      // A page's policy, or too many videos, may refuse the source; then it never opens.
      const fail = (): void => reject(new Error(video.error?.message || 'the source was refused'));
      video.addEventListener('error', fail, { once: true });
    });
    const revoke = (): void => URL.revokeObjectURL(url);
    this.#open.then(revoke, revoke);
    // The source never opens after the video was cleared.
    video.addEventListener('emptied', revoke, { once: true });
    video.src = url;
    let rate = 0;
    // When the rate was set while the video rested, WebKitGTK may play at the old one, and ignores the same value once more. So
    // the old rate is set first.
    video.addEventListener('playing', () => {
      const { playbackRate } = video;
      if (rate && rate !== playbackRate) Object.assign(video, { playbackRate: rate }, { playbackRate });
      rate = playbackRate;
    });
  }

  /**
   * Appends fragments, with their first frame at second `at` of the timeline.
   * @throws DOMException: NotSupportedError for a codec that does not play here, QuotaExceededError when there is no
   * room, InvalidStateError once the source is closed; Error when it never opened, or the browser cannot read the bytes.
   */
  async append({ mimeType, init, media, firstFrameAt }: Fragments, at: number): Promise<void> {
    await this.#open;
    const isFirst = !this.#buffer;
    const buffer = this.#bufferFor(mimeType);
    if (this.ended) {
      this.reopen();
      this.#video.currentTime = at;
    }
    buffer.timestampOffset = at - firstFrameAt;
    buffer.appendBuffer(joinBytes([init, media]));
    await settled(buffer);
    if (isFirst) this.#video.currentTime = at;
  }

  /** Removes the seconds from `from` to `to`. */
  async remove(from: number, to: number): Promise<void> {
    if (!this.#buffer || to <= from) return;
    this.reopen();
    this.#buffer.remove(from, to);
    await settled(this.#buffer);
  }

  /** All seconds between these are buffered. */
  isBuffered(from: number, to: number): boolean {
    const ranges = this.#buffer?.buffered;
    for (let n = 0; ranges && n < ranges.length; n++)
      if (ranges.start(n) <= from && ranges.end(n) >= to) return true;
    return false;
  }

  /** Second at which what is buffered ends; 0 when nothing is. */
  get bufferedEnd(): number {
    const ranges = this.#buffer?.buffered;
    return ranges?.length ? ranges.end(ranges.length - 1) : 0;
  }

  /** Ends the source, because nothing follows for now: only then a decoder gives its last frames. */
  end(): void {
    if (this.open) this.#source.endOfStream();
  }

  get ended(): boolean {
    return this.#source.readyState === 'ended';
  }

  /** False before it opens, after `end()`, and for ever after the video was cleared or has failed. */
  get open(): boolean {
    return this.#source.readyState === 'open';
  }

  /** Undoes `end()`. A browser that has reached the end shows later frames only after a seek. */
  reopen(): void {
    if (!this.ended || !this.#buffer) return;
    // MSE 3.15.2: setting it opens a source that has ended.
    this.#buffer.timestampOffset += 0;
    this.#source.duration = Infinity;
  }

  #bufferFor(mimeType: string): SourceBuffer {
    if (!this.#buffer) {
      this.#buffer = this.#source.addSourceBuffer(mimeType);
      this.#source.duration = Infinity;
    } else if (mimeType !== this.#mimeType) {
      // WebKitGTK has no `changeType`, and accepts another size of the same codec without it.
      this.#buffer.changeType?.(mimeType);
    }
    this.#mimeType = mimeType;
    return this.#buffer;
  }
}

function settled(buffer: SourceBuffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController();
    for (const type of ['updateend', 'error', 'abort']) {
      const settle = (): void => {
        listening.abort();
        if (type === 'updateend') resolve();
        else reject(new Error('the browser could not read the video'));
      };
      buffer.addEventListener(type, settle, { signal: listening.signal });
    }
  });
}

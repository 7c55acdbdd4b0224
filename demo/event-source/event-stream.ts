// The demo's live event as HLS. The sandbox paints and encodes it while it runs; its files are found by name.
// - It has 25 frames a second, segments of 1 s, no parts, and captions in a rendition of their own. Each segment has the time when
//   it was shown (EXT-X-PROGRAM-DATE-TIME), so that a signer beside the video can stay synchronised.
// - It has no sound, because only composites need sound (document 2, HLS source contract).
import { now, systemClock } from '../sandbox/clock.ts';
import { VideoEncoder } from '../sandbox/media/video-encoder.ts';
import { ownBackplate } from '../sandbox/painter/render-style.ts';
import { GrowingStream } from '../sandbox/streams/growing-stream.ts';
import { INIT_SEGMENT, MEDIA_PLAYLIST, mediaPlaylist } from '../sandbox/streams/hls-playlist.ts';
import { peakRate, type ManifestView } from '../sandbox/streams/segment-window.ts';
import { StreamEncoder, type StreamTools } from '../sandbox/streams/stream-encoder.ts';
import { segmentFrames, type StreamSpec } from '../sandbox/streams/stream-spec.ts';
import { captionFile, CAPTIONS_PLAYLIST, captionsPlaylist, paintEvent, SIZE } from './event-content.ts';

/** The playlist that a player is given. */
export const MAIN_PLAYLIST = 'main.m3u8';

const spec: StreamSpec = {
  // Only the size of the style counts, because the picture has no signer.
  style: ownBackplate('RAE', SIZE),
  codec: 'h264',
  bitsPerSecond: null,
  segmentSeconds: 1,
  segmentType: 'fmp4',
  lowLatency: false,
  kind: 'ongoing',
};
const START_SECONDS = 20;

/** One file as it is served. */
export interface EventFile {
  readonly type: string;
  readonly body: string | Buffer;
}

const playlist = (body: string): EventFile => ({ type: 'application/vnd.apple.mpegurl', body });

function mainPlaylist(view: ManifestView): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="${CAPTIONS_PLAYLIST}"`,
    `#EXT-X-STREAM-INF:BANDWIDTH=${peakRate(view)},CODECS="${view.codec}",RESOLUTION=${SIZE.width}x${SIZE.height},SUBTITLES="captions"`,
    MEDIA_PLAYLIST,
    '',
  ].join('\n');
}

export class EventStream {
  readonly #stream = new GrowingStream(spec, systemClock);
  readonly #encoder: StreamEncoder;
  #timer: NodeJS.Timeout | undefined;

  /** Begins at once. @param stamp whether frames have the stamp @throws Error when there is no encoder, with its own words */
  constructor(stamp: boolean) {
    const tools: StreamTools = {
      openEncoder: () => new VideoEncoder({ ...SIZE, keyEvery: segmentFrames(spec) }),
      paint: (picture, _script, _frame, at) => paintEvent(picture, at, stamp),
    };
    this.#encoder = new StreamEncoder(spec, now(), tools, (report) => this.#stream.hear(report));
    this.#wait();
  }

  /** True when no more media follow. */
  get hasEnded(): boolean {
    return this.#stream.hasEnded;
  }

  /** Resolves with true as soon as there is something to play, and with false when there is nothing after 20 s. */
  begun(): Promise<boolean> {
    const hasSegment = (): boolean => this.#stream.segments.listed.some(({ isComplete }) => isComplete);
    return this.#stream.until(hasSegment, START_SECONDS, new AbortController().signal);
  }

  /** Ends the stream. Its files are still served. */
  end(): void {
    clearTimeout(this.#timer);
    this.#attempt(() => {
      this.#encoder.stop();
      while (!this.#encoder.hasEnded) this.#encoder.advance(this.#encoder.nextDue ?? now());
    });
  }

  /** Null for a file that does not exist, does not exist yet, or no longer exists. */
  file(name: string): EventFile | null {
    const view = this.#stream.view('');
    if (!view) return null;
    if (name === MAIN_PLAYLIST) return playlist(mainPlaylist(view));
    if (name === MEDIA_PLAYLIST) return playlist(mediaPlaylist(view));
    if (name === CAPTIONS_PLAYLIST) return playlist(captionsPlaylist(view));
    if (name === INIT_SEGMENT) return { type: 'video/mp4', body: Buffer.from(this.#stream.init!) };
    const [, number, ending] = /^(\d{1,9})\.(m4s|vtt)$/.exec(name) ?? [];
    if (number === undefined) return null;
    if (ending === 'vtt') return { type: 'text/vtt', body: captionFile(Number(number)) };
    const segment = this.#stream.segments.named(Number(number));
    if (!segment?.isComplete) return null;
    return { type: 'video/mp4', body: Buffer.concat(segment.parts.map(({ bytes }) => bytes)) };
  }

  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#encoder.close();
      this.#stream.hear({ kind: 'ended', problem: (error as Error).message });
      console.error(error);
    }
  }

  #wait(): void {
    const due = this.#encoder.nextDue;
    if (due === null) return;
    this.#timer = setTimeout(
      () => {
        this.#attempt(() => this.#encoder.advance(now()));
        this.#wait();
      },
      Math.max(0, due - now()),
    );
  }
}

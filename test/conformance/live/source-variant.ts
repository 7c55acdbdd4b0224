// The sources of the contract's rows, encoded by ffmpeg from the options of each row.
// - As small and short as the options allow.
// - Properties without an option are canonical: Main, 25 fps, a key frame every 2 s, AAC-LC of 96 kbps, MPEG-TS, version 3.
import {
  aac,
  everyTwoSeconds,
  h264,
  makeSource,
  tone,
  type SourceFiles,
} from '../../sandbox/live/encoded-source.ts';

interface Variant {
  readonly seconds?: number;
  readonly size?: string;
  readonly rate?: string;
  /** FFmpeg's options for the video. */
  readonly video?: readonly string[];
  /** Replaces the sound's input and coding; null for none. */
  readonly sound?: readonly string[] | null;
  readonly hls?: readonly string[];
}

export const fmp4 = ['-hls_segment_type', 'fmp4'];
/** Noise, because an encoder uses at most 100 kbps for a tone. */
export const noise = (bitrate: string, channels = 2): string[] => [
  ...['-f', 'lavfi', '-i', `anoisesrc=sample_rate=48000`, '-ac', String(channels)],
  ...['-c:a', 'aac', '-b:a', bitrate],
];

export const source =
  ({ seconds = 2, size = '320x180', rate = '25', video = [], sound, hls = [] }: Variant) =>
  (): Promise<SourceFiles> =>
    makeSource(
      [
        ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`],
        ...(sound === null ? [] : (sound ?? [...tone, ...aac])),
        ...['-t', String(seconds), ...h264, ...everyTwoSeconds, ...video],
      ],
      hls,
    );

/** Makes the files at the first call, and keeps them. */
function once(make: () => Promise<SourceFiles>): () => Promise<SourceFiles> {
  let files: Promise<SourceFiles> | null = null;
  return () => (files ??= make());
}

/** The source of the rows that change only the playlist. */
export const canonical = once(source({}));

/** A source whose playlist is changed after it was made. */
export const edited =
  (make: () => Promise<SourceFiles>, edit: (playlist: string) => string) =>
  async (): Promise<SourceFiles> => {
    const files = new Map(await make());
    return files.set('index.m3u8', Buffer.from(edit(String(files.get('index.m3u8')))));
  };

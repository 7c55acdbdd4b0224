// The HLS source contract (document 2): which sources pass, which are encoded anew, which are refused.
// - One row for each dimension, over facts that are measured in the media, not read from the playlist.
// - Mismatches that the document accepts by name may come together.
// - A mismatch that the document does not name may only come alone ("any single-dimension mismatch when otherwise within
//   contract").
// - A source beyond a limit that the document names (12 s, 320 kbps, 3840x2160) is refused.

export interface VideoFacts {
  /** `h264`, `hevc`, `vp9`, `av1`, `mpeg2`, or `unknown`. */
  readonly codec: string;
  /** H.264: its profile's name, `Main` for example; null for other codecs. */
  readonly profile: string | null;
  /** H.264: 4.2 for example; null for other codecs. */
  readonly level: number | null;
  readonly width: number;
  readonly height: number;
  /** Frames a second on average; null when there are too few frames. */
  readonly frameRate: number | null;
  /** Whether all frames have the same duration. */
  readonly isConstantRate: boolean;
  /** Longest time from one key frame to the next, seconds; also from the last one to the end of what was probed. */
  readonly gopSeconds: number;
  /** The same distance for IDR pictures only, because key frames may also be recovery points. */
  readonly idrSeconds: number;
  /** Whether every segment begins with a key frame. */
  readonly isAligned: boolean;
}

export interface AudioFacts {
  /** `aac`, `mp3`, `ac3`, … */
  readonly codec: string;
  /** AAC: `AAC-LC`, `HE-AAC`, `HE-AAC v2`; null for others. */
  readonly profile: string | null;
  readonly bitsPerSecond: number;
}

export interface SourceFacts {
  readonly container: 'mpeg-ts' | 'fmp4' | 'unknown';
  readonly hlsVersion: number;
  readonly isEncrypted: boolean;
  /** Null when there is none. */
  readonly video: VideoFacts | null;
  readonly audio: AudioFacts | null;
}

/** A dimension that is not canonical, and what it means for the source. */
interface Mismatch {
  /** `videoProfile` for example. */
  readonly dimension: string;
  readonly found: string | number;
  readonly expected: readonly (string | number)[];
  readonly remedy: 'normalise' | 'normalise-alone' | 'reject';
}

export interface Outcome {
  /** What is done with the source. */
  readonly treatment: 'pass' | 'normalise' | 'reject';
  readonly facts: SourceFacts;
  /** Every dimension that is not canonical; those for which a source is refused come first. */
  readonly failing: readonly Omit<Mismatch, 'remedy'>[];
}

const PROFILES = ['Baseline', 'Main', 'High'];
const MORE_PROFILES = ['High 10', 'High 4:2:2'];
const RATES = [24, 25, 30, 50, 60];
const VERSIONS = [3, 6, 7];
/** Largest difference between a measured rate and a canonical one, as a share of the latter: 24 and 23.976 differ by 0.1 %. */
const RATE_TOLERANCE = 0.0005;
/** A bitrate is measured over some seconds, but encoders keep their bitrate only on average. */
const BITRATE_TOLERANCE = 1.05;
/** A measured time may be one frame too long. */
const GOP_TOLERANCE_SECONDS = 0.05;

const mismatch = (
  remedy: Mismatch['remedy'],
  dimension: string,
  found: Mismatch['found'],
  expected: Mismatch['expected'],
): Mismatch => ({ dimension, found, expected, remedy });

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function* sizeOf({ width, height, level }: VideoFacts): Generator<Mismatch> {
  const fits = (w: number, h: number): boolean =>
    Math.max(width, height) <= w && Math.min(width, height) <= h;
  const size = `${width}x${height}`;
  if (!fits(3840, 2160)) yield mismatch('reject', 'resolution', size, ['3840x2160 or lower']);
  else if (!fits(1920, 1080)) yield mismatch('normalise', 'resolution', size, ['1920x1080 or lower']);
  // 4K always has a level above 4.2, so that level is no second mismatch.
  else if (level !== null && level > 4.2)
    yield mismatch('normalise-alone', 'videoLevel', level, ['4.2 or lower']);
}

function* pictureRate({ frameRate, isConstantRate }: VideoFacts): Generator<Mismatch> {
  if (!isConstantRate) return yield mismatch('normalise', 'frameRate', 'variable', RATES);
  if (frameRate === null) return;
  const isCanonical = RATES.some((rate) => Math.abs(frameRate - rate) <= rate * RATE_TOLERANCE);
  if (!isCanonical) yield mismatch('normalise', 'frameRate', rounded(frameRate), RATES);
}

function* gop({ gopSeconds, idrSeconds, isAligned }: VideoFacts): Generator<Mismatch> {
  const found = rounded(gopSeconds);
  const beyond = (seconds: number): boolean => gopSeconds > seconds + GOP_TOLERANCE_SECONDS;
  if (beyond(12)) yield mismatch('reject', 'gopSeconds', found, ['12 or shorter']);
  else if (beyond(6)) yield mismatch('normalise', 'gopSeconds', found, ['6 or shorter']);
  else if (idrSeconds > 12 + GOP_TOLERANCE_SECONDS) {
    yield mismatch('normalise', 'idrCadence', 'unbounded', ['bounded']);
  }
  if (!isAligned) yield mismatch('normalise-alone', 'keyframeAlignment', 'unaligned', ['segment boundary']);
}

function* videoRows(video: VideoFacts | null): Generator<Mismatch> {
  if (!video) return yield mismatch('reject', 'video', 'none', ['a video track']);
  if (video.codec !== 'h264') return yield mismatch('reject', 'videoCodec', video.codec, ['h264']);
  const { profile } = video;
  if (profile !== null && !PROFILES.includes(profile)) {
    const remedy = MORE_PROFILES.includes(profile) ? 'normalise' : 'normalise-alone';
    yield mismatch(remedy, 'videoProfile', profile, PROFILES);
  }
  yield* sizeOf(video);
  yield* pictureRate(video);
  yield* gop(video);
}

function* audioRows(audio: AudioFacts | null): Generator<Mismatch> {
  if (!audio) return yield mismatch('reject', 'audio', 'none', ['an audio track']);
  const { codec, profile, bitsPerSecond } = audio;
  if (codec !== 'aac' || (profile !== 'AAC-LC' && profile !== 'HE-AAC')) {
    yield mismatch('normalise-alone', 'audioCodec', profile ?? codec, ['AAC-LC', 'HE-AAC']);
  }
  const kbps = Math.round(bitsPerSecond / 1000);
  if (kbps > 320 * BITRATE_TOLERANCE) yield mismatch('reject', 'audioKbps', kbps, ['320 or lower']);
  else if (kbps > 192 * BITRATE_TOLERANCE) yield mismatch('normalise', 'audioKbps', kbps, ['192 or lower']);
}

function* rows({ container, hlsVersion, isEncrypted, video, audio }: SourceFacts): Generator<Mismatch> {
  // Nothing else can be measured in encrypted media.
  if (isEncrypted) return yield mismatch('reject', 'encryption', 'encrypted', ['none']);
  if (container === 'unknown') return yield mismatch('reject', 'container', 'unknown', ['fMP4', 'MPEG-TS']);
  yield* videoRows(video);
  yield* audioRows(audio);
  if (!VERSIONS.includes(hlsVersion)) {
    yield mismatch('normalise-alone', 'hlsVersion', hlsVersion, VERSIONS);
  }
}

/** What is done with a source of these facts. */
export function outcomeOf(facts: SourceFacts): Outcome {
  const all = [...rows(facts)];
  const isFatal = ({ remedy }: Mismatch): boolean =>
    remedy === 'reject' || (remedy === 'normalise-alone' && all.length > 1);
  const failing = [...all.filter(isFatal), ...all.filter((one) => !isFatal(one))].map(
    ({ dimension, found, expected }) => ({ dimension, found, expected }),
  );
  const treatment = all.some(isFatal) ? 'reject' : all.length > 0 ? 'normalise' : 'pass';
  return { treatment, facts, failing };
}

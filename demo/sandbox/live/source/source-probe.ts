// Probes a source that is to be pulled, and decides whether it is accepted (document 2, HLS source contract: "probed
// at session creation").
// - The contract applies only to HLS_PULL with pictureInPicture.
// - The probe reads the variant with the highest bandwidth: the start of a finished source, or the end of a live one. It reads at
//   least 14 s where available, to detect a key frame distance of 12 s.
// - Bytes are parsed in a process with 128 MB of heap, one segment at a time. Bytes that crash it count as a container that is not
//   accepted.
// - A source that is not read within the time limit is unreachable, and the reason names the limit.
// - A source that two cores cannot encode in real time (above 1080p, above the pixel rate of 1080p at 30, 10-bit profiles) is
//   answered as if all capacity were taken.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { SandboxClock } from '../../clock.ts';
import { LiveError } from '../live-error.ts';
import type { LiveRequest } from '../live-request.ts';
import { startProcess } from '../child-processes.ts';
import { PlaylistError, type Playlist, type PlaylistFile, type Segment } from './playlist.ts';
import { outcomeOf, type Outcome, type SourceFacts } from './source-contract.ts';
import type { ProbedSegment, ProbeReport, SeenSource } from './media-probe.ts';
import { malformed, SourceReader } from './source-reader.ts';

const MOST_MEGABYTES = 128;

export class ProbeProcess {
  readonly #process: ChildProcess;
  readonly #gone: Promise<null>;
  readonly #over: AbortSignal;
  readonly #end = (): void => void this.#process.kill('SIGKILL');

  /** @param over when it aborts, the process ends, and a segment that is being probed cannot be read */
  constructor(over: AbortSignal) {
    this.#process = startProcess('live/source/probe-process', [`--max-old-space-size=${MOST_MEGABYTES}`]);
    this.#gone = once(this.#process, 'exit').then(() => null);
    // `add` and `close` report it; this prevents an unhandled rejection before they are called.
    this.#gone.catch(() => {});
    this.#over = over;
    over.addEventListener('abort', this.#end);
  }

  /**
   * The properties known after this segment; null when it cannot be read.
   * @throws Error when the process could not be started
   */
  async add(segment: ProbedSegment): Promise<ProbeReport> {
    // A process that has ended is reported by `#gone`, so the error of sending to it is ignored.
    this.#process.send(segment, () => {});
    const news = once(this.#process, 'message').then(([found]) => found as ProbeReport);
    news.catch(() => {});
    return Promise.race([news, this.#gone]);
  }

  /** Ends the process. */
  async close(): Promise<void> {
    this.#over.removeEventListener('abort', this.#end);
    this.#end();
    await this.#gone.catch(() => {});
  }
}

const PROBE_SECONDS = 14;

/** The segments to probe: `PROBE_SECONDS`, up to the end of a segment. */
function segmentsToProbe({ rows, isEnded }: Playlist): readonly Segment[] {
  const row = isEnded ? (rows[0] ?? []) : [...(rows.at(-1) ?? [])].reverse();
  let seconds = 0;
  const enough = row.findIndex((segment) => (seconds += segment.seconds) >= PROBE_SECONDS);
  const found = enough < 0 ? row : row.slice(0, enough + 1);
  return isEnded ? found : [...found].reverse();
}

/** @returns null when the bytes cannot be read */
async function probeMedia(playlist: Playlist, reader: SourceReader): Promise<SeenSource | null> {
  const probe = new ProbeProcess(reader.over);
  try {
    const inits = new Map<PlaylistFile, Buffer>();
    let seen: SeenSource | null = null;
    for (const segment of segmentsToProbe(playlist)) {
      const { init, seconds } = segment;
      if (init && !inits.has(init)) inits.set(init, await reader.file(init));
      const bytes = await reader.file(segment);
      seen = await probe.add({ bytes, init: init ? inits.get(init)! : null, seconds });
      if (!seen) {
        reader.assertGoesOn(segment.url);
        return null;
      }
    }
    return seen;
  } finally {
    await probe.close();
  }
}

/** The playlist whose segments are pulled, and the address of its separate audio playlist, if it has one. */
async function mediaOf(
  main: Playlist,
  reader: SourceReader,
): Promise<{ readonly media: Playlist; readonly audioUrl: string | null }> {
  const [best] = [...main.variants].sort((a, b) => b.bandwidth - a.bandwidth);
  if (!best) return { media: main, audioUrl: null };
  return { media: await reader.playlist(best.url), audioUrl: best.audioUrl };
}

async function probeWith(reader: SourceReader, url: string): Promise<Outcome> {
  const main = await reader.playlist(url);
  const { media, audioUrl } = await mediaOf(main, reader);
  if (media.rows.length === 0) throw malformed(url, 'has no segments');
  const { version: hlsVersion } = media;
  if (hlsVersion === null) throw malformed(url, 'has no #EXT-X-VERSION');
  const unseen: SourceFacts = {
    hlsVersion,
    container: 'unknown',
    isEncrypted: false,
    video: null,
    audio: null,
  };
  const sound = audioUrl === null ? media : await reader.playlist(audioUrl);
  if ([main, media, sound].some((each) => each.isEncrypted))
    return outcomeOf({ ...unseen, isEncrypted: true });
  const seen = await probeMedia(media, reader);
  if (!seen) return outcomeOf(unseen);
  const withAudio = sound === media ? seen : await probeMedia(sound, reader);
  return outcomeOf({ hlsVersion, ...seen, audio: withAudio?.audio ?? null });
}

/**
 * What is done with the source at this address.
 * @param closing ends the probing
 * @throws LiveError HLS_INPUT_UNREACHABLE (`details`: `url`, `reason`), HLS_INPUT_MALFORMED (`details`: `url`)
 */
export async function probeSource(url: string, clock: SandboxClock, closing: AbortSignal): Promise<Outcome> {
  const reader = new SourceReader(clock, closing);
  try {
    return await probeWith(reader, url);
  } catch (error) {
    // An address that is not http(s) throws only when it is used.
    throw error instanceof PlaylistError ? malformed(url, error.message) : error;
  } finally {
    reader.close();
  }
}

const MOST_SIDES = [1920, 1080] as const;
const MOST_PIXELS_A_SECOND = 1920 * 1080 * 30;
const TEN_BITS = ['High 10', 'High 4:2:2'];

function isTooMuch({ video }: SourceFacts): boolean {
  if (!video) return false;
  const { width, height, frameRate, profile } = video;
  const [most, least] = MOST_SIDES;
  const isLarge = Math.max(width, height) > most || Math.min(width, height) > least;
  const isFast = width * height * (frameRate ?? 0) > MOST_PIXELS_A_SECOND * 1.001;
  return isLarge || isFast || (profile !== null && TEN_BITS.includes(profile));
}

/**
 * Whether the source of this request has to be encoded anew; false also where the contract does not apply.
 * @param closing ends the probing when the sandbox closes
 * @throws LiveError 400 for a source that is refused, 503 HLS_INPUT_NORMALIZE_CAPACITY
 */
export async function mustNormalise(
  { sourceType, pictureInPicture, hlsSourceUrl }: LiveRequest,
  clock: SandboxClock,
  closing: AbortSignal,
): Promise<boolean> {
  if (sourceType !== 'HLS_PULL' || !pictureInPicture || hlsSourceUrl === undefined) return false;
  const { treatment, facts, failing } = await probeSource(hlsSourceUrl, clock, closing);
  if (treatment === 'reject') {
    const [first] = failing;
    const { dimension, found, expected } = first!;
    throw new LiveError(
      'HLS_INPUT_INCOMPATIBLE',
      `the source is outside the contract: ${dimension} is ${found}, expected ${expected.join(', ')}`,
      { url: hlsSourceUrl, dimension, found, expected, failing },
    );
  }
  if (treatment === 'normalise' && isTooMuch(facts)) {
    throw new LiveError('HLS_INPUT_NORMALIZE_CAPACITY', 'no capacity to encode this source anew', {
      failing,
    });
  }
  return treatment === 'normalise';
}

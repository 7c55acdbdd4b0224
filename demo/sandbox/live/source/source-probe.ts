// Probes a source that is to be pulled (document 2, HLS source contract: "probed at session creation"). Policy: the variant
// of the highest bandwidth; at least 14 s of media where there are as many, enough to see a key frame distance of 12 s:
// from the start of what is finished, from the end of what is live. What cannot be read within the time of a probing is of
// no container that is accepted.
import type { SandboxClock } from '../../clock.ts';
import { GuardedLook } from './guarded-look.ts';
import { PlaylistError, type Playlist, type PlaylistFile, type Segment } from './playlist.ts';
import { outcomeOf, type Outcome } from './source-contract.ts';
import type { SourceFacts } from './source-facts.ts';
import type { SeenSource } from './source-look.ts';
import { malformed, SourceReader } from './source-reader.ts';

const LOOK_SECONDS = 14;

/** Those to look at: `LOOK_SECONDS` or a little more. */
function chosen({ rows, isEnded }: Playlist): readonly Segment[] {
  const row = isEnded ? (rows[0] ?? []) : [...(rows.at(-1) ?? [])].reverse();
  let seconds = 0;
  const enough = row.findIndex((segment) => (seconds += segment.seconds) >= LOOK_SECONDS);
  const found = enough < 0 ? row : row.slice(0, enough + 1);
  return isEnded ? found : [...found].reverse();
}

/** @returns null when the bytes cannot be read */
async function lookAt(playlist: Playlist, reader: SourceReader): Promise<SeenSource | null> {
  const look = new GuardedLook(reader.over);
  try {
    const inits = new Map<PlaylistFile, Buffer>();
    let seen: SeenSource | null = null;
    for (const segment of chosen(playlist)) {
      const { init, seconds } = segment;
      if (init && !inits.has(init)) inits.set(init, await reader.file(init));
      const bytes = await reader.file(segment);
      seen = await look.add({ bytes, init: init ? inits.get(init)! : null, seconds });
      if (!seen) return null;
    }
    return seen;
  } finally {
    await look.close();
  }
}

/** The playlist whose segments are pulled, and that of its sound when it stands apart. */
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
  const seen = await lookAt(media, reader);
  if (!seen) return outcomeOf(unseen);
  const listened = sound === media ? seen : await lookAt(sound, reader);
  return outcomeOf({ hlsVersion, ...seen, audio: listened?.audio ?? null });
}

/**
 * What becomes of the source at this address.
 * @param closing ends the probing
 * @throws LiveError HLS_INPUT_UNREACHABLE (`details`: `url`, `reason`), HLS_INPUT_MALFORMED (`details`: `url`)
 */
export async function probeSource(url: string, clock: SandboxClock, closing: AbortSignal): Promise<Outcome> {
  const reader = new SourceReader(clock, closing);
  try {
    return await probeWith(reader, url);
  } catch (error) {
    // An address of it that leads nowhere shows when it is gone to.
    throw error instanceof PlaylistError ? malformed(url, error.message) : error;
  } finally {
    reader.close();
  }
}

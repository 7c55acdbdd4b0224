// Probes a source that is to be pulled (document 2, HLS source contract: "probed at session creation"). Policy: the variant
// of the highest bandwidth; at least 14 s of media where there are as many, enough to see a key frame distance of 12 s:
// from the start of what is finished, from the end of what is live.
import type { SandboxClock } from '../../clock.ts';
import type { Playlist, PlaylistFile, Segment } from './playlist.ts';
import { outcomeOf, type Outcome } from './source-contract.ts';
import type { SourceFacts } from './source-facts.ts';
import { SourceLook } from './source-look.ts';
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

/** @returns null when the bytes are of no kind that can be read */
async function lookAt(playlist: Playlist, reader: SourceReader): Promise<SourceLook | null> {
  const look = new SourceLook();
  const inits = new Map<PlaylistFile, Buffer>();
  for (const segment of chosen(playlist)) {
    const { init, seconds } = segment;
    if (init && !inits.has(init)) inits.set(init, await reader.file(init));
    const bytes = await reader.file(segment);
    try {
      await look.add(bytes, init ? inits.get(init)! : null, seconds);
    } catch {
      // What the reader says of bytes that it cannot read is of no use to whoever sent them.
      return null;
    }
  }
  return look;
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
  const look = await lookAt(media, reader);
  if (!look) return outcomeOf(unseen);
  const listened = sound === media ? look : await lookAt(sound, reader);
  const { container, isEncrypted, video } = look;
  return outcomeOf({ hlsVersion, container, isEncrypted, video, audio: listened?.audio ?? null });
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
  } finally {
    reader.close();
  }
}

// The captions of a pulled source: the WebVTT rendition beside its picture, read as it grows (RFC 8216, 4.3.4.1). Policy:
// captions are an extra: what cannot be had is asked for again in the next round, and never ends a session; a round is 2 s;
// nothing is fetched while enough waits to be signed; 1 MB a file. A file is known by its address as it is written: the
// playlist's own may have another signature each time.
import { setTimeout as delay } from 'node:timers/promises';
import { fetchCapped } from '../../capped-fetch.ts';
import { systemClock } from '../../clock.ts';
import { parsePlaylist } from '../source/playlist.ts';
import type { Cue } from './sentences.ts';
import { parseWebVtt } from './web-vtt.ts';

const ROUND_MS = 2000;
const MOST_BYTES = 1024 * 1024;

/** Who signs the captions. */
export interface CaptionReader {
  /** Whether more can be taken now. */
  readonly hasRoom: boolean;
  /** More captions; none says that there are going to be some. */
  add(cues: readonly Cue[]): void;
}

async function textAt(url: string): Promise<{ readonly text: string; readonly url: string }> {
  const fetched = await fetchCapped(url, { clock: systemClock, mostBytes: MOST_BYTES });
  return { text: fetched.bytes.toString(), url: fetched.url };
}

/** Runs `step` until it gives something, a round apart. */
async function rounds<T>(step: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await step().catch(() => undefined);
    if (found !== undefined) return found;
    await delay(ROUND_MS);
  }
}

/** Follows the captions of the source at `url` to their end, if it has any. */
export async function followCaptions(url: string, reader: CaptionReader): Promise<void> {
  const captions = await rounds(async () => {
    const source = await textAt(url);
    return parsePlaylist(source.text, source.url).captionsUrl;
  });
  if (captions === null) return;
  reader.add([]);
  let read = new Set<string>();
  await rounds(async () => {
    const list = await textAt(captions);
    const { rows, isEnded } = parsePlaylist(list.text, list.url);
    const segments = rows.flat();
    read = new Set(segments.map(({ uri }) => uri).filter((uri) => read.has(uri)));
    for (const segment of segments) {
      if (read.has(segment.uri)) continue;
      if (!reader.hasRoom) return undefined;
      reader.add(parseWebVtt((await textAt(segment.url)).text));
      read.add(segment.uri);
    }
    return isEnded ? true : undefined;
  });
}

// Reads the captions of a pulled source: the WebVTT rendition beside its picture, as it grows (RFC 8216, 4.3.4.1).
// - Captions are optional: a failed request never ends or delays a session.
// - One round every 2 s: a playlist is requested again in the next round, a file three times in all.
// - Nothing is requested while enough captions wait to be signed.
// - A file has at most 1 MB.
// - A file is identified by its URI as written: its resolved address may have another signature each time.
import { setTimeout as delay } from 'node:timers/promises';
import { fetchCapped } from '../../capped-fetch.ts';
import { systemClock } from '../../clock.ts';
import { parsePlaylist, type Segment } from '../source/playlist.ts';
import type { Cue } from './sentences.ts';
import { parseWebVtt } from './web-vtt.ts';

const ROUND_MS = 2000;
const MOST_TRIES = 3;
const MOST_BYTES = 1024 * 1024;

/** Takes the captions that are to be signed. */
interface CaptionTarget {
  /** Whether more can be taken now. */
  readonly hasRoom: boolean;
  /** More captions; an empty list when there are none yet but captions are expected. */
  add(cues: readonly Cue[]): void;
}

async function textAt(url: string): Promise<{ readonly text: string; readonly url: string }> {
  const fetched = await fetchCapped(url, { clock: systemClock, mostBytes: MOST_BYTES });
  return { text: fetched.bytes.toString(), url: fetched.url };
}

/** Null when the file cannot be fetched. */
async function textOf(segment: Segment): Promise<string | null> {
  try {
    return (await textAt(segment.url)).text;
  } catch {
    return null;
  }
}

/** Runs `step` once in each round until it returns a value. */
async function rounds<T>(step: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await step().catch(() => undefined);
    if (found !== undefined) return found;
    await delay(ROUND_MS);
  }
}

/** Follows the captions of the source at `url` to their end, if it has any. */
export async function followCaptions(url: string, target: CaptionTarget): Promise<void> {
  const captions = await rounds(async () => {
    const source = await textAt(url);
    return parsePlaylist(source.text, source.url).captionsUrl;
  });
  if (captions === null) return;
  target.add([]);
  /** Requests left for each listed file; 0 after it was read. */
  let left = new Map<string, number>();
  await rounds(async () => {
    const list = await textAt(captions);
    const { rows, isEnded } = parsePlaylist(list.text, list.url);
    const segments = rows.flat();
    left = new Map(segments.map(({ uri }) => [uri, left.get(uri) ?? MOST_TRIES]));
    for (const segment of segments) {
      const tries = left.get(segment.uri)!;
      if (tries === 0) continue;
      if (!target.hasRoom) return undefined;
      const text = await textOf(segment);
      if (text !== null) target.add(parseWebVtt(text));
      left.set(segment.uri, text === null ? tries - 1 : 0);
    }
    return isEnded && segments.every(({ uri }) => left.get(uri) === 0) ? true : undefined;
  });
}

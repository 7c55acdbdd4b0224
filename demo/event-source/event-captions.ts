// The captions of the demo's event, which the sandbox signs and the page's video shows: a WebVTT rendition (RFC 8216, 3.5 and
// 4.3.4.1).
// - Every 5 s a sentence says what the clock shows as it begins; each sentence is a file of its own.
// - A sentence is listed as soon as it has begun, for as long as its frames are.
import { clockFace } from './event-picture.ts';
import { secondsOf, dateTime, type ManifestView } from '../sandbox/streams/segment-window.ts';
import { FRAMES_PER_SECOND } from '../sandbox/painter/script.ts';

export const CAPTIONS_PLAYLIST = 'captions.m3u8';
/** From the beginning of one sentence to that of the next. */
export const SENTENCE_SECONDS = 5;
/** So that one sentence is gone before the next is there. */
const SHOWN_SECONDS = 4.5;

/** Sentence `n` of the event, from 0. */
export const sentence = (n: number): string => `The clock now shows ${clockFace(n * SENTENCE_SECONDS)}.`;

export function captionsPlaylist(view: ManifestView): string {
  const { segments, hasEnded } = view;
  const [oldest, newest] = [segments[0], segments.at(-1)];
  const nth = (frame: number): number => Math.floor(secondsOf(frame) / SENTENCE_SECONDS);
  const first = oldest ? nth(oldest.from) : 0;
  const last = newest ? nth(newest.from + newest.frames - 1) : -1;
  const files: string[] = [];
  for (let n = first; n <= last; n++) {
    files.push(
      `#EXT-X-PROGRAM-DATE-TIME:${dateTime(view, n * SENTENCE_SECONDS * FRAMES_PER_SECOND)}`,
      `#EXTINF:${SENTENCE_SECONDS},`,
      `${n}.vtt`,
    );
  }
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${SENTENCE_SECONDS}`,
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...files,
    ...(hasEnded ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n');
}

/** The file of sentence `n`, on the picture's own clock. */
export function captionFile(n: number): string {
  const from = n * SENTENCE_SECONDS;
  const time = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);
  return [
    'WEBVTT',
    'X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0',
    '',
    `${time(from)} --> ${time(from + SHOWN_SECONDS)}`,
    sentence(n),
    '',
  ].join('\n');
}

// The picture and captions of the demo's live event. The picture has a clock in large figures and a bar that moves with every
// frame, so that a stop of the video is seen at once. The sandbox signs the captions, and the page's video shows them (WebVTT; RFC
// 8216, 3.5 and 4.3.4.1).
// - SANDBOX is on every frame, and the sandbox's stamp where it is asked for.
// - Letters are on grey only, because they are painted in luma alone.
// - Every 5 s a sentence says what the clock shows when the sentence begins. Each sentence is a file of its own. It is listed from
//   the beginning of the sentence and as long as the frames of the sentence are listed.
import { clipId, paintStamp, stampHeight } from '../sandbox/stamp.ts';
import { FRAMES_PER_SECOND } from '../sandbox/painter/script.ts';
import { black, colour, fillRect, wholeOf, type Picture } from '../sandbox/painter/picture.ts';
import { textWidth, writeLine } from '../sandbox/painter/text.ts';
import { secondsOf, dateTime, type ManifestView } from '../sandbox/streams/segment-window.ts';

/** Pixels; both even. */
export const SIZE = { width: 640, height: 360 } as const;
/** The clip that the stamp of every frame names. */
export const EVENT_CLIP = clipId('the live event of the demo');

const wall = colour('#1d3557');
const board = colour('#f2f2f2');
const bar = colour('#e07a1f');
const DARK = 34;
const PALE = 90;

const MARGIN = 40;
const BOARD = { top: 70, bottom: 306 };
const LINES = {
  title: { size: 30, baseline: 112 },
  clock: { size: 120, baseline: 230 },
  note: { size: 24, baseline: 278 },
};
/** The bar is above the clock's board, because captions are shown below it. */
const BAR = { top: 26, bottom: 54, width: 64, step: 8 };

/** The seconds since the event began as `01:05`. */
function clockFace(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 60))}:${two(Math.floor(seconds) % 60)}`;
}

function writeCentred(picture: Picture, text: string, line: keyof typeof LINES, luma: number): void {
  const { size, baseline } = LINES[line];
  writeLine(picture, text, { x: (picture.width - textWidth(text, size)) / 2, baseline, size, luma });
}

/**
 * Paints one frame of the event, whatever the picture held before.
 *
 * @param number of the frame since the event began
 * @param stamp whether the frame has the stamp
 */
export function paintEvent(picture: Picture, frame: number, stamp: boolean): void {
  const { width } = picture;
  fillRect(picture, wholeOf(picture), wall);
  fillRect(picture, { ...BOARD, left: MARGIN, right: width - MARGIN }, board);
  writeCentred(picture, 'Town meeting', 'title', DARK);
  writeCentred(picture, clockFace(frame / FRAMES_PER_SECOND), 'clock', DARK);
  writeCentred(picture, 'SANDBOX: a made-up event', 'note', PALE);
  const left = MARGIN + ((frame * BAR.step) % (width - 2 * MARGIN - BAR.width));
  fillRect(picture, { left, right: left + BAR.width, top: BAR.top, bottom: BAR.bottom }, bar);
  if (!stamp) return;
  fillRect(picture, { ...wholeOf(picture), bottom: stampHeight(picture.height) }, black);
  paintStamp(picture.y, picture.strideY, picture, { clip: EVENT_CLIP, frame: frame & 0xffff });
}

export const CAPTIONS_PLAYLIST = 'captions.m3u8';
/** Seconds from the beginning of one sentence to the beginning of the next. */
export const SENTENCE_SECONDS = 5;
/** This is shorter than SENTENCE_SECONDS, so that one sentence disappears before the next appears. */
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

/** The WebVTT file of sentence `n`, with times of the video's timeline. */
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

// Parses the cues of a WebVTT file in HLS (W3C WebVTT; RFC 8216, 3.5), on the source's clock.
// - Only times and texts are read; settings, styles and markup are left out.
// - What cannot be parsed is skipped, because a source with a missing caption is better than no source.
// - At most 5000 cues of a file are read, with at most 500 characters each.
// - Without X-TIMESTAMP-MAP, second 0 of the file is second 0 of the source.
// - Patterns backtrack a few characters at most, so that the cost is linear in the file's length.
import type { Cue } from './sentences.ts';

const MOST_CUES = 5000;
const LONGEST_TEXT = 500;
const TICKS = 90_000;

const timestamp = /(?:(\d{2,9}):)?(\d{2}):(\d{2})\.(\d{3})/;
const timing = new RegExp(`^${timestamp.source}[ \\t]+-->[ \\t]+${timestamp.source}`);
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&lrm;': '',
  '&rlm;': '',
};

function secondsOf([hours = '0', minutes, seconds, thousandths]: readonly (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(thousandths) / 1000;
}

/** Seconds between the clock of the file and that of the source. */
function offsetOf(header: string): number {
  const map = /^X-TIMESTAMP-MAP=(.*)$/m.exec(header)?.[1] ?? '';
  const ticks = /MPEGTS:(\d{1,15})/.exec(map)?.[1];
  const local = timestamp.exec(/LOCAL:([\d:.]+)/.exec(map)?.[1] ?? '');
  return ticks === undefined || !local ? 0 : Number(ticks) / TICKS - secondsOf(local.slice(1));
}

function plain(markup: string): string {
  // An unclosed tag lasts to the end of the text.
  const text = markup.replace(/<[^>]*(?:>|$)/g, '').replace(/&[a-z]+;/g, (name) => entities[name] ?? name);
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
}

/** The cues of the file; none when it is no WebVTT file. */
export function parseWebVtt(file: string): Cue[] {
  const [header = '', ...blocks] = file
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/);
  if (!/^WEBVTT(?:[ \t\n]|$)/.test(header)) return [];
  const offset = offsetOf(header);
  const cues: Cue[] = [];
  for (const block of blocks) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.includes('-->'));
    const times = timing.exec(lines[at] ?? '');
    if (!times || cues.length === MOST_CUES) continue;
    const from = secondsOf(times.slice(1, 5)) + offset;
    const to = secondsOf(times.slice(5, 9)) + offset;
    const text = plain(lines.slice(at + 1).join(' '));
    if (text !== '' && to > from) cues.push({ from, to, text });
  }
  return cues;
}

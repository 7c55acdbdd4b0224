// Cuts a text with the platform's own segmenter.
// - It is given a window of the text at a time, because for each segment V8 may copy the whole text that it was given.

/** UTF-16 units that are segmented at one time. */
const WINDOW = 512;

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(granularity: 'sentence' | 'grapheme', lang: string): Intl.Segmenter {
  const key = `${granularity} ${lang}`;
  let segmenter = segmenters.get(key);
  if (!segmenter) {
    try {
      segmenter = new Intl.Segmenter(lang || 'en', { granularity });
    } catch {
      // A page may state anything as its language.
      segmenter = new Intl.Segmenter('en', { granularity });
    }
    segmenters.set(key, segmenter);
  }
  return segmenter;
}

/** Segments of `text`, in order and without a gap; null where the platform has no segmenter (Firefox before 125). */
export function segments(
  text: string,
  granularity: 'sentence' | 'grapheme',
  lang = 'en',
): Iterable<string> | null {
  return 'Segmenter' in Intl ? inWindows(text, segmenterOf(granularity, lang)) : null;
}

function* inWindows(text: string, segmenter: Intl.Segmenter): Generator<string, void> {
  for (let at = 0, length = WINDOW; at < text.length;) {
    const units: string[] = [];
    // No Array.from: Prototype.js and MooTools replace it with functions that know no iterables.
    for (const { segment } of segmenter.segment(text.slice(at, at + length))) units.push(segment);
    // The last segment may continue after the window.
    if (at + length < text.length) units.pop();
    for (const unit of units) {
      yield unit;
      at += unit.length;
    }
    length = units.length > 0 ? WINDOW : length * 2;
  }
}

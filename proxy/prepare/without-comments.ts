// Removes the comments of an untrusted style sheet or sitemap.
// - It searches for fixed strings and not with a pattern, so that the time is proportional to the length.

/** `text` without its comments, which begin with `open` and end with `close`, or at the end of the text. */
export const withoutComments = (text: string, open: string, close: string): string =>
  text
    .split(open)
    .map((part, index) => {
      if (index === 0) return part;
      return part.includes(close) ? part.slice(part.indexOf(close) + close.length) : '';
    })
    .join('');

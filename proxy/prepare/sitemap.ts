// What a sitemap names (sitemaps.org 0.9): the content of its `<loc>` elements.
// - An untrusted file is searched for fixed strings and not with patterns, so the time is proportional to its length.
import { withoutComments } from './without-comments.ts';

const NAMES: Readonly<Record<string, string>> = { amp: '&', apos: "'", quot: '"', lt: '<', gt: '>' };

/** The character that a reference names, by name or number; a reference to none stays as it is. */
function unescaped(whole: string, name: string): string {
  if (!name.startsWith('#')) return NAMES[name] ?? whole;
  const number = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
  return number > 0 && number <= 0x10_ffff ? String.fromCodePoint(number) : whole;
}

/** True for a sitemap and an index of sitemaps, whatever its address is called. */
export const isSitemap = (text: string): boolean => /<(urlset|sitemapindex)[\s>]/.test(text.slice(0, 2_000));

export function placesIn(sitemap: string): string[] {
  return withoutComments(sitemap, '<!--', '-->')
    .split(/<loc>/i)
    .slice(1)
    .map((after) => {
      const [content = ''] = after.split(/<\/loc>/i, 1);
      const place = content.replace('<![CDATA[', '').replace(']]>', '').trim();
      return place.replace(/&(\w{1,4}|#\d{1,7}|#x[\da-f]{1,6});/gi, unescaped);
    })
    .filter((place) => place !== '');
}

// What a sitemap names (sitemaps.org 0.9): the content of its `<loc>` elements.
// - A file of a stranger is cut and not matched: no content takes longer than its length.

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', apos: "'", quot: '"', lt: '<', gt: '>' };

export function placesIn(sitemap: string): string[] {
  return sitemap
    .split(/<loc>/i)
    .slice(1)
    .map((after) => {
      const [content = ''] = after.split(/<\/loc>/i, 1);
      const place = content.replace('<![CDATA[', '').replace(']]>', '').trim();
      return place.replace(/&(amp|apos|quot|lt|gt);/g, (_, name: string) => ENTITIES[name]!);
    })
    .filter((place) => place !== '');
}

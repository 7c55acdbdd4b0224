// For the review page: the place of a text, the text that was there before, and the words that are new.

const wordsOf = (text) => text.toLowerCase().split(/\s+/);

/** Hashes of the texts of each page that was read again, in the order of the page. */
const orders = new Map();

/** False when it cannot be read now. */
export async function readOrder(page) {
  if (page === undefined || orders.has(page)) return false;
  orders.set(page, []);
  const response = await fetch(`order?${new URLSearchParams({ page })}`);
  const hashes = response.ok ? await response.json() : [];
  orders.set(page, hashes);
  return hashes.length > 0;
}

const pageOf = ({ pages }) => pages[0] ?? '';

/** Page by page, and each page from its top. Texts that are no longer on their page come last. */
export function inOrder(texts) {
  const placeOf = new Map();
  for (const hashes of orders.values()) for (const [at, hash] of hashes.entries()) placeOf.set(hash, at);
  const place = ({ hash }) => placeOf.get(hash) ?? Infinity;
  const byPlace = (a, b) => (place(a) === place(b) ? 0 : place(a) - place(b));
  return [...texts].sort((a, b) => pageOf(a).localeCompare(pageOf(b)) || byPlace(a, b));
}

/** Part of the words that two texts must have in common to be one text before and after a change. */
const ALIKE = 0.4;

/** How much of two texts is common, 0 to 1. */
function likeness(one, other) {
  const [words, others] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  const common = [...words].filter((word) => others.has(word)).length;
  return common / Math.max(words.size, others.size);
}

/** The text that a new text replaces: of those that are no longer on its page the most similar one. */
export function formerOf({ text, pages }, texts) {
  const isOfPage = (other) => other.stale && other.pages.some((page) => pages.includes(page));
  const former = texts.filter(isOfPage).map((other) => ({ other, like: likeness(text, other.text) }));
  former.sort((a, b) => b.like - a.like);
  return former[0]?.like >= ALIKE ? former[0].other : undefined;
}

/** Its neighbours on its page, as far as they are known. */
export function contextOf({ hash, pages }, texts) {
  const hashes = orders.get(pages[0]) ?? [];
  const at = hashes.indexOf(hash);
  const textAt = (place) => texts.find((other) => at >= 0 && other.hash === hashes[place]);
  return { ahead: textAt(at - 1), behind: textAt(at + 1) };
}

/** Writes a text into an element, with a mark on each word that the former text does not have. */
export function markNew(element, text, former) {
  const known = former === undefined ? null : new Set(wordsOf(former));
  const nodes = text.split(/(\s+)/).map((word) => {
    if (!known || !word.trim() || known.has(word.toLowerCase())) return word;
    const mark = document.createElement('mark');
    mark.textContent = word;
    return mark;
  });
  element.replaceChildren(...nodes);
}

export const megabytes = (bytes) =>
  bytes < 10_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;

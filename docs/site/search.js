// The search of the documentation, in the browser: search.json has the text of each section.
// - search.json is loaded when the field gets the focus. Without scripts the field is not shown, but every page lists all pages.
// - A section is found when it has every word. Sections with the words in their heading come first, then those with the words side
//   by side. A hyphen counts as a space.
const search = document.querySelector('search');
const field = document.querySelector('#words');
const found = document.querySelector('#found');
const count = document.querySelector('#count');
const SHOWN = 12;

let sections;
async function load() {
  sections ??= fetch('search.json').then((response) => response.json());
  try {
    return await sections;
  } catch {
    sections = undefined;
    count.textContent = 'The list of words did not load. Type again to try again.';
    return null;
  }
}

const wordsOf = (text) =>
  text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);

/** How well a section matches these words; 0 when one of them is missing. */
function rank({ page, heading, text }, words) {
  const [title, head, body] = [page, heading, text].map((one) => wordsOf(one).join(' '));
  const phrase = words.join(' ');
  const points = words.map((word) =>
    head.includes(word) ? 8 : body.includes(word) ? 2 : title.includes(word) ? 1 : 0,
  );
  if (points.includes(0)) return 0;
  const together = head === phrase ? 20 : body.includes(phrase) ? 7 * (words.length - 1) : 0;
  return points.reduce((sum, one) => sum + one, together);
}

/** What is around the words side by side, else around one of them; it begins and ends with whole words. */
function excerpt(text, words) {
  const plain = text.toLowerCase();
  const together = words.map((word) => word.replace(/\W/g, '\\$&')).join('[\\s-]+');
  const phrase = plain.search(together);
  const at = phrase >= 0 ? phrase : Math.max(0, ...words.map((word) => plain.indexOf(word)));
  const start = at < 50 ? 0 : text.indexOf(' ', at - 50) + 1;
  const end = text.indexOf(' ', start + 120);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end < 0 ? undefined : end)}${end < 0 ? '' : ' …'}`;
}

function item({ href, page, heading, text }, words) {
  const link = document.createElement('a');
  link.href = href;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const around = document.createElement('span');
  around.textContent = excerpt(text, words);
  const line = document.createElement('li');
  line.append(link, around);
  return line;
}

async function show() {
  const words = wordsOf(field.value);
  const all = words.length > 0 ? await load() : [];
  // The visitor typed something else while the list was loading.
  if (!all || words.join(' ') !== wordsOf(field.value).join(' ')) return;
  const ranked = all
    .map((section) => ({ section, points: rank(section, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points);
  found.replaceChildren(...ranked.slice(0, SHOWN).map(({ section }) => item(section, words)));
  const more = ranked.length > SHOWN ? `, the first ${SHOWN} are shown` : '';
  count.textContent =
    words.length === 0 ? '' : `${ranked.length} ${ranked.length === 1 ? 'section' : 'sections'} found${more}`;
}

field.addEventListener('focus', () => void load());
field.addEventListener('input', () => void show());
search.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  field.value = '';
  field.focus();
  void show();
});
search.hidden = false;

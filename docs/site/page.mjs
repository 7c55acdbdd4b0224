// The frame of a page: header, search, text, list of all pages.
// - The page can be read in this order without a style sheet and without scripts. Only the search needs a script.
// - Little comes before the text, and the list of all pages comes after it, so that a reader need not skip anything.
import { escape } from './markdown.mjs';
import { groups, pageOf } from './contents.mjs';

const link = (href, text, current) =>
  `<a href="${href}"${current ? ' aria-current="page"' : ''}>${escape(text)}</a>`;

function menu(file, titles) {
  return groups
    .map(([group, files]) => {
      const items = files.map((one) => `<li>${link(pageOf(one), titles.get(one), one === file)}</li>`);
      return `<h2>${group}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

function onThisPage(headings) {
  const items = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li>${link(`#${id}`, text)}</li>`);
  if (items.length < 3) return '';
  return `<nav class="here" aria-label="On this page">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
}

/** The HTML of a page. `titles` has the titles of all pages by file. */
export function page(file, { title, html, headings }, titles) {
  const end = html.indexOf('</h1>') + '</h1>'.length;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}${file === 'README.md' ? '' : ' – Sign Elements'}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<script type="module" src="search.js"></script>
${html.includes('class="live"') ? '<script type="module" src="live.js"></script>\n' : ''}</head>
<body>
<header>
<p class="name">${link('index.html', 'Sign Elements')}</p>
<p class="menu">${link('#pages', 'All pages')}</p>
<search hidden>
<label for="words">Search</label>
<input id="words" type="search" autocomplete="off" spellcheck="false">
<p id="count" role="status"></p>
<ol id="found"></ol>
</search>
</header>
<div class="columns">
<main>
${html.slice(0, end)}
${onThisPage(headings)}${html.slice(end)}</main>
<nav id="pages" aria-label="All pages" tabindex="-1">
${menu(file, titles)}
</nav>
</div>
</body>
</html>
`;
}

// Turns markdown of the repository into HTML of the documentation.
// - Headings get the ids that GitHub gives them, so that one link works in both places.
// - A link to a file that becomes a page goes to that page. A link to anything else of the repository stops the build.
// - A fence of `html live` is shown twice: as elements that work, and as text.
// - Tables have roles and labels, because a narrow screen shows each row as a block (style.css).
import { posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { pageOf } from './contents.mjs';

const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The text of an inline token, without markup. */
const plain = ({ children }) =>
  children
    .map(({ type, content }) => (/text|code/.test(type) ? content : /break/.test(type) ? ' ' : ''))
    .join('');

/** The id that GitHub gives a heading. `taken` has the ids of the page so far. */
function slug(heading, taken) {
  const base = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  let id = base;
  for (let count = 1; taken.has(id); count += 1) id = `${base}-${count}`;
  taken.add(id);
  return id;
}

const roles = {
  table: 'table',
  thead: 'rowgroup',
  tbody: 'rowgroup',
  tr: 'row',
  th: 'columnheader',
  td: 'cell',
};

/** Gives each part of a table its role, and each cell the heading of its column. */
function labelTables(tokens) {
  let labels = [];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') labels = [];
    if (token.type === 'tr_open') column = 0;
    // An empty heading names no column.
    if (token.tag === 'th' && !tokens[index + token.nesting].content) token.tag = 'td';
    if (token.nesting === 1 && roles[token.tag]) token.attrSet('role', roles[token.tag]);
    if (token.type === 'th_open') labels.push(plain(tokens[index + 1]));
    if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '');
  });
}

const live = (html) => `<div class="live" role="group" aria-label="Live example">
<p class="note">This example needs scripts and a sign proxy. <code>npm start</code> has both.</p>
${html}</div>
`;

const markdown = new MarkdownIt({ html: true });
const { fence } = markdown.renderer.rules;
markdown.renderer.rules.fence = (tokens, index, ...rest) => {
  const { content, info } = tokens[index];
  const text = fence(tokens, index, ...rest).replace('<pre>', '<pre tabindex="0">');
  return info === 'html live' ? live(content) + text : text;
};
// A long name may be broken after an underscore.
markdown.renderer.rules.code_inline = (tokens, index) =>
  `<code>${escape(tokens[index].content).replaceAll('_', '_<wbr>')}</code>`;
markdown.renderer.rules.html_block = (tokens, index) => tokens[index].content.replace(/<!--[^]*?-->\n?/g, '');

/** The address on the site that a link of `file` goes to; null for a file that is not on the site. */
function target(file, href, siteFiles) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const wanted = posix.normalize(posix.join(posix.dirname(file), path));
  if (!siteFiles.has(wanted)) return null;
  const page = wanted.endsWith('.md') ? pageOf(wanted) : posix.basename(wanted);
  return anchor ? `${page}#${anchor}` : page;
}

/**
 * A page: its title, its HTML, the headings of its second level, its sections for the search, and the targets of its links.
 * @param siteFiles paths of the files of the repository that are on the site
 */
export function render(file, source, siteFiles) {
  const tokens = markdown.parse(source, {});
  labelTables(tokens);
  const ids = new Set();
  const headings = [];
  const sections = [];
  const links = [];
  const see = (text) => sections.length > 0 && (sections.at(-1).text += `${text} `);
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const text = plain(tokens[index + 1]);
      const id = slug(text, ids);
      token.attrSet('id', id);
      headings.push({ level: Number(token.tag[1]), id, text });
      sections.push({ id, heading: text, text: '' });
    } else if (token.type === 'inline') {
      if (tokens[index - 1].type !== 'heading_open') see(plain(token));
      for (const link of token.children.filter(({ type }) => type === 'link_open')) {
        const to = target(file, link.attrGet('href'), siteFiles);
        if (to === null) throw new Error(`${file}: ${link.attrGet('href')} is no page of the documentation`);
        link.attrSet('href', to);
        links.push(to);
      }
    } else if (token.type === 'fence') see(token.content);
  });
  return {
    title: headings[0].text,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    ids,
    sections,
    links,
  };
}

export { escape };

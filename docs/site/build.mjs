// `npm run build:docs` writes the documentation as static files into dist/docs.
// - `npm start` serves them under /docs/. Any other web server can serve them under any path. The examples need a proxy (live.js).
// - The pages of the elements come from custom-elements.json, which `npm run build:manifest` must write first.
// - A link to a page, a file or a heading that does not exist stops the build.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { groups, pageOf } from './contents.mjs';
import { render } from './markdown.mjs';
import { page } from './page.mjs';
import { reference } from './reference.mjs';

const out = 'dist/docs';
const files = groups.flatMap(([, names]) => names);
const schemas = readdirSync('docs')
  .filter((name) => name.endsWith('.json'))
  .map((name) => `docs/${name}`);
const assets = ['search.js', 'live.js', 'examples.json', 'style.css'].map((name) => `docs/site/${name}`);

const elements = new Map(
  JSON.parse(readFileSync('custom-elements.json', 'utf8'))
    .modules.flatMap(({ declarations }) => declarations)
    .map((element) => [element.tagName, element]),
);

/** The text of a page, with the tables of the elements in their places. */
const source = (file) =>
  readFileSync(file, 'utf8').replace(/^<!-- reference of ([\w-]+) -->$/gm, (_, tag) =>
    reference(elements.get(tag)),
  );

const siteFiles = new Set([...files, ...schemas]);
const pages = new Map(files.map((file) => [file, render(file, source(file), siteFiles)]));
const titles = new Map(files.map((file) => [file, pages.get(file).title]));

const ids = new Map(files.map((file) => [pageOf(file), pages.get(file).ids]));
for (const [file, { links }] of pages) {
  for (const link of links.filter((one) => one.includes('#') && !/^https?:/.test(one))) {
    const [to, id] = link.split('#');
    if (!ids.get(to || pageOf(file))?.has(id)) throw new Error(`${file}: there is no ${link}`);
  }
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [file, one] of pages) writeFileSync(join(out, pageOf(file)), page(file, one, titles));
for (const file of [...schemas, ...assets]) copyFileSync(file, join(out, basename(file)));
const sections = [...pages].flatMap(([file, one]) =>
  one.sections.map(({ id, heading, text }) => ({
    href: `${pageOf(file)}#${id}`,
    page: one.title,
    heading,
    text: text.replace(/\s+/g, ' ').trim(),
  })),
);
writeFileSync(join(out, 'search.json'), JSON.stringify(sections));

// The pages of the documentation in the order of its menu, by group.
// - A page is named by its file in the repository. Its title is its first heading.
// - A markdown file of `docs/` that is not named here is the last of the guides.
import { readdirSync } from 'node:fs';

const elements = [
  'elements',
  'sign-translate',
  'sign-live-player',
  'sign-silence-loop',
  'sign-announcement',
  'errors',
];
const guides = [
  'dev-servers',
  'frameworks',
  'cms',
  'security-policy',
  'testing-pages',
  'accessibility',
  'privacy',
  'prepared',
  'moving',
];
const proxy = ['proxy', 'operating', 'protocol'];
const development = ['sandbox', 'testing', 'engines', 'measurements'];

const written = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -'.md'.length));
const named = ['start', ...elements, ...guides, ...proxy, ...development];
const others = written.filter((name) => !named.includes(name));
const inDocs = (names) => names.filter((name) => written.includes(name)).map((name) => `docs/${name}.md`);

/** Titles of the groups, each with the files of its pages. */
export const groups = [
  ['Start', ['README.md', ...inDocs(['start'])]],
  ['Elements', inDocs(elements)],
  ['Guides', inDocs([...guides, ...others])],
  ['Proxy and service', inDocs(proxy)],
  ['Development', [...inDocs(development), 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']],
];

/** The page that a file of the repository becomes. The file is given by its path from the root. */
export const pageOf = (file) =>
  file === 'README.md'
    ? 'index.html'
    : `${file
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .toLowerCase()}.html`;

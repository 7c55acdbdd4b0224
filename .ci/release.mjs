// `npm run release -- 0.2.0`: says what a release of that version would change and publish; with `--write` it changes the files,
// packs all packages, commits and tags.
// - It publishes nothing: the workflow `release` does that for a pushed tag, with provenance.
// - The version is higher than the one before, and the changelog says something under Unreleased.
// - With `--write` the work tree has to be clean.
// - Examples, the plugin of WordPress and what deploys the proxy name the version too, and get the new one.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' }).trim();
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

const example = (version) => `"sign-elements": "^${version}"`;
const image = (version) => `image: sign-elements-proxy:${version}`;
/** What each file besides package.json says of the version. */
const naming = new Map([
  ...readdirSync('demo/examples', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [`demo/examples/${name}/package.json`, example]),
  ['demo/wordpress/sign-elements/sign-elements.php', (version) => ` * Version: ${version}\n`],
  ['demo/wordpress/sign-elements/includes/placing.php', (version) => `'${version}'`],
  ['proxy/compose.yaml', image],
  ['proxy/kubernetes.yaml', image],
]);

/** True when the version is the higher one (Semantic Versioning, 11; no pre-releases). */
function isHigher(version, before) {
  const [numbers, others] = [version, before].map((one) => one.split('.').map(Number));
  const at = numbers.findIndex((number, i) => number !== others[i]);
  return at >= 0 && numbers[at] > others[at];
}

function stop(reason) {
  console.error(`release: ${reason}`);
  process.exit(2);
}

const [version = '', ...options] = process.argv.slice(2);
const isWriting = options.includes('--write');
const manifest = json('package.json');
if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version)) stop('the version is three numbers, such as 0.2.0');
if (!isHigher(version, manifest.version)) stop(`${version} is not above ${manifest.version}`);
if (isWriting && run('git', 'status', '--porcelain') !== '') stop('there are changes that are not committed');

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, notes = ''] = /^## \[Unreleased\]\n([^]*?)(?=^## \[|$(?![^]))/m.exec(changelog) ?? [];
if (notes.trim() === '') stop('CHANGELOG.md says nothing under Unreleased');
const date = new Date().toISOString().slice(0, 10);

for (const [file, words] of naming) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(words(manifest.version))) stop(`${file} does not name ${manifest.version}`);
  if (isWriting) writeFileSync(file, text.replace(words(manifest.version), words(version)));
}

if (isWriting) {
  const heading = `## [Unreleased]\n\n## [${version}] - ${date}\n`;
  writeFileSync(
    'CHANGELOG.md',
    changelog.replace('## [Unreleased]\n', () => heading),
  );
  run('npm', 'version', version, '--no-git-tag-version');
  run('npm', 'run', 'pack:all');
  run('git', 'commit', '--all', '--message', `release: ${version}`);
  // By default git takes the headings of the notes for comments of its own, and removes them.
  run('git', 'tag', '--annotate', '--cleanup=whitespace', `v${version}`, '--message', notes.trim());
}

const will = isWriting ? '' : 'would be: ';
const folders = ['.', './dist/proxy', './dist/sandbox'];
const packed = JSON.parse(run('npm', 'pack', '--dry-run', '--ignore-scripts', '--json', ...folders));
console.log(`${will}version ${version} after ${manifest.version}, ${date}`);
console.log(`${will}the version in ${naming.size} files of examples, WordPress and deployment`);
console.log(
  `${will}tag v${version}, its notes the ${notes.trim().split('\n').length} lines under Unreleased`,
);
for (const { name, files, size, unpackedSize } of packed)
  console.log(
    `${will}${name}-${version}.tgz: ${files.length} files, ${size} bytes, ${unpackedSize} unpacked`,
  );
console.log(`${will}published for the pushed tag by the workflow Release, with provenance`);
for (const [file, hash] of Object.entries(json('dist/cdn/integrity.json')))
  if (!file.startsWith('chunks')) console.log(`${isWriting ? '' : 'now: '}${file} integrity="${hash}"`);
console.log(
  isWriting
    ? `Push it: git push origin main v${version}`
    : 'Nothing was changed. With --write it is done, and nothing is published before the tag is pushed.',
);

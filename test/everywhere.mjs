// `npm run everywhere`: one table of all the places where the packages are used, each row with its verdict and its time.
// - The repository must be built. `npm run everywhere -- packages sizes` runs these rows only.
// - The rows of Firefox and WebKit obtain their browser themselves, and take many minutes each.
// - Under the rows is a second table: what each of these browsers can do, as test/engines/abilities.browser.ts found it, and how
//   many tests it leaves out.
// - What a row printed is in .build/everywhere. The last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = '.build/everywhere';
const nodeTests = (...folders) => [
  ...['--import', 'tsx', '--test', '--test-force-exit'],
  ...folders.flatMap((one) =>
    readdirSync(one)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(one, file)),
  ),
];
const pageTests = (...names) => names.map((name) => `test/page/${name}.test.ts`);

/** Name, program and arguments of each row. */
const rows = [
  ['packages', process.execPath, nodeTests('test/package')],
  ['sizes', process.execPath, ['--import', 'tsx', '--test', 'test/package/sizes.test.ts']],
  [
    'docs',
    process.execPath,
    [
      ...nodeTests('test/docs'),
      ...pageTests(
        'documentation',
        'static-docs',
        'samples',
        'markup-samples',
        'style-samples',
        'framework-samples',
      ),
    ],
  ],
  [
    'script tag',
    process.execPath,
    ['--import', 'tsx', '--test', ...pageTests('script-tag', 'layout-shift', 'frozen-built-ins')],
  ],
  [
    'integrators',
    process.execPath,
    [
      '--import',
      'tsx',
      '--test',
      ...pageTests('integrators', 'policies', 'extension-points', 'react', 'oldest-dependencies'),
    ],
  ],
  ['frameworks', process.execPath, ['--import', 'tsx', 'test/frameworks/run.ts']],
  ['tools', process.execPath, ['--import', 'tsx', 'test/tools/run.ts']],
  ['next', 'npm', ['run', 'test:next']],
  ['players', 'npm', ['run', 'test:players']],
  ['sanitisers', process.execPath, ['--import', 'tsx', 'test/sanitisers/run.ts']],
  ['wordpress', process.execPath, ['--import', 'tsx', 'test/wordpress/run.ts']],
  ['chromium', 'npm', ['run', 'test:chromium']],
  ['firefox', 'npm', ['run', 'test:firefox']],
  ['webkit', 'npm', ['run', 'test:webkit']],
  ['older', 'npm', ['run', 'test:older']],
];

const ENGINES = ['chromium', 'firefox', 'webkit', 'older'];

/** The table that the row of a browser has printed. */
const abilitiesIn = (log) =>
  new Map(
    [...readFileSync(log, 'utf8').matchAll(/^\s*\| (.+) \| (.+) \|$/gm)].map(([, what, can]) => [what, can]),
  );

/** @param {Map<string, Map<string, string>>} abilities of each browser, by its row */
function printAbilities(abilities) {
  const [first] = abilities.values();
  if (first === undefined) return;
  const width = Math.max(...[...first.keys()].map((what) => what.length));
  const line = (what, cells) =>
    console.log([what.padEnd(width), ...cells.map((cell) => cell.padEnd(15))].join('  ').trimEnd());
  line('', [...abilities.keys()]);
  for (const what of first.keys())
    line(
      what,
      [...abilities.values()].map((can) => can.get(what) ?? '?'),
    );
}

const slug = (name) => name.replaceAll(' ', '-');
const wanted = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
let failed = 0;
let passed = 0;
const abilities = new Map();
for (const [name, program, args] of rows) {
  if (wanted.length > 0 && !wanted.includes(slug(name))) continue;
  const start = Date.now();
  const log = join(folder, `${slug(name)}.log`);
  const output = createWriteStream(log);
  await once(output, 'open');
  const [code] = await once(spawn(program, args, { stdio: ['ignore', output, output] }), 'exit');
  output.end();
  await once(output, 'close');
  if (ENGINES.includes(name)) abilities.set(name, abilitiesIn(log));
  if (code === 0) passed += 1;
  else failed += 1;
  const seconds = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  console.log(
    `${code === 0 ? '✔' : '✖'} ${name.padEnd(12)} ${seconds.padStart(8)}${code === 0 ? '' : `  ${log}`}`,
  );
}
printAbilities(abilities);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

// `npm run everywhere`: one table of all the places where the packages are used, each row with its verdict and its time.
// - The repository must be built. `npm run everywhere -- packages sizes` runs these rows only.
// - The rows of Firefox and WebKit obtain their browser themselves, and take many minutes each.
// - What a row printed is in .build/everywhere. The last line is `N passed, N failed`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync } from 'node:fs';
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
      ...pageTests('documentation', 'samples', 'markup-samples', 'framework-samples'),
    ],
  ],
  ['script tag', process.execPath, ['--import', 'tsx', '--test', ...pageTests('script-tag')]],
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
  ['sanitisers', process.execPath, ['--import', 'tsx', 'test/sanitisers/run.ts']],
  ['wordpress', process.execPath, ['--import', 'tsx', 'test/wordpress/run.ts']],
  ['firefox', 'npm', ['run', 'test:firefox']],
  ['webkit', 'npm', ['run', 'test:webkit']],
  ['older', 'npm', ['run', 'test:older']],
];

const slug = (name) => name.replaceAll(' ', '-');
const wanted = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
let failed = 0;
let passed = 0;
for (const [name, program, args] of rows) {
  if (wanted.length > 0 && !wanted.includes(slug(name))) continue;
  const start = Date.now();
  const log = join(folder, `${slug(name)}.log`);
  const output = createWriteStream(log);
  await once(output, 'open');
  const [code] = await once(spawn(program, args, { stdio: ['ignore', output, output] }), 'exit');
  output.end();
  if (code === 0) passed += 1;
  else failed += 1;
  const seconds = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  console.log(
    `${code === 0 ? '✔' : '✖'} ${name.padEnd(12)} ${seconds.padStart(8)}${code === 0 ? '' : `  ${log}`}`,
  );
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

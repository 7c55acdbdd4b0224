// `npm run demo:prepare` makes a prepared edition of the articles of prepared.html and reading.html with the sandbox, and stores
// it beside the built pages.
// - It needs a build (`npm start` or `npm run build`). The next build replaces the edition by an empty one. An argument names
//   another folder for it.
// - The clips are marked approved although nobody has judged them, because they show drawn figures and say so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const program = 'dist/proxy/sign-prepare.js';
if (!existsSync(program)) {
  console.error('There is no build yet. Run `npm run build` first.');
  process.exit(1);
}
const { renderOptionsFrom, startSandbox } = await import('../dist/sandbox/index.js');

const [folder = 'dist/demo/pages/signs'] = process.argv.slice(2);
const sandbox = await startSandbox({ render: renderOptionsFrom(process.env) });
const { apiUrl, apiKey } = sandbox.addresses;
const env = { ...process.env, SIGN_API_URL: apiUrl, SIGN_API_KEY: apiKey };
/** A page is read with the glossary that its element has. */
const pages = [
  ['demo/pages/prepared.html'],
  ['demo/pages/reading.html', '--glossary', 'demo/pages/glossary.json'],
];
for (const page of pages) {
  const args = [program, '--out', folder, '--resolution', '480p', ...page];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  [process.exitCode] = await once(child, 'exit');
  if (process.exitCode !== 0) break;
}
await sandbox.close();
if (process.exitCode === 0) {
  const list = `${folder}/signs.json`;
  const edition = JSON.parse(readFileSync(list, 'utf8'));
  for (const text of edition.texts) Object.assign(text, { state: 'approved', note: 'by demo:prepare' });
  writeFileSync(list, `${JSON.stringify(edition, null, 2)}\n`);
  console.log(
    'Now `npm start`, and open prepared.html or reading.html. The first goes on signing when the machine is offline.',
  );
}

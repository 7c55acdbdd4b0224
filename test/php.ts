// PHP as WebAssembly from npm, in .build/php, for machines without PHP, and HTML Purifier for it. They are no dependencies of the
// repository.
// - PHP 7.4, because HTML Purifier of Debian 12 cannot be read by PHP 8.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve('.build/php');
const packages = { '@php-wasm/universal': '3.1.56', '@php-wasm/node-7-4': '3.1.56' };
const purifier = join(folder, 'purifier/usr/share/php');

interface Php {
  mkdirTree(path: string): void;
  writeFile(path: string, content: Uint8Array): void;
  run(request: { code: string }): Promise<{ text: string; errors: string }>;
}
interface Universal {
  PHP: new (runtime: number) => Php;
  loadPHPRuntime(loader: object): Promise<number>;
}

async function startPhp(): Promise<Php> {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules'))) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: folder,
      stdio: 'ignore',
    });
  }
  const fromHere = createRequire(join(folder, 'package.json'));
  const load = (name: string): Promise<unknown> => import(pathToFileURL(fromHere.resolve(name)).href);
  const { PHP, loadPHPRuntime } = (await load('@php-wasm/universal')) as Universal;
  const { getPHPLoaderModule } = (await load('@php-wasm/node-7-4')) as {
    getPHPLoaderModule(): Promise<object>;
  };
  return new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
}

let php: Promise<Php> | undefined;

/** The settings of PHP for a server in Debian. */
const SETTINGS = "<?php error_reporting(E_ALL & ~E_DEPRECATED); set_include_path('/usr/share/php');";

/** Runs code of PHP, which begins with `<?php`; resolves with what it prints. A warning is an error. */
export async function runPhp(code: string): Promise<string> {
  const started = await (php ??= startPhp());
  const { text, errors } = await started.run({ code: code.replace('<?php', () => SETTINGS) });
  if (errors !== '') throw new Error(errors);
  return text;
}

/** Puts the files of a folder at a path that PHP code can read. */
async function copyTo(path: string, from: string): Promise<void> {
  const target = await (php ??= startPhp());
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const at = join(path, relative(from, entry.parentPath));
    target.mkdirTree(at);
    target.writeFile(join(at, entry.name), readFileSync(join(entry.parentPath, entry.name)));
  }
}

/** Obtains HTML Purifier of Debian, so that code which is run by `runPhp()` can require it. */
export async function obtainHtmlPurifier(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(purifier)) {
    execFileSync('apt-get', ['download', 'php-htmlpurifier'], { cwd: folder, stdio: 'ignore' });
    const [archive] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    execFileSync('dpkg', ['-x', join(folder, archive!), join(folder, 'purifier')]);
  }
  await copyTo('/usr/share/php', purifier);
  // Its installation makes this folder, where it keeps what it has computed from a recipe.
  (await php!).mkdirTree('/var/lib/php-htmlpurifier/Serializer');
}

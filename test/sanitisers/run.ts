// `npm run test:sanitisers`: what the sanitisers and editors of CMS leave of a signer, with their defaults and with the recipes of
// docs/cms.md.
// - They are installed into .build/sanitisers and .build/php, and are no dependency of the repository. test:wordpress tries
//   WordPress's own sanitiser.
// - The last line is `N passed, N failed`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { extname, join, normalize, resolve } from 'node:path';
import type { Page } from 'puppeteer-core';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { obtainHtmlPurifier, runPhp } from '../php.ts';

const folder = resolve('.build/sanitisers');
const packages = { 'sanitize-html': '2.18.1', dompurify: '3.4.18', tinymce: '8.9.2', ckeditor5: '48.5.2' };
mkdirSync(folder, { recursive: true });
if (!Object.keys(packages).every((name) => existsSync(join(folder, 'node_modules', name)))) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    stdio: 'ignore',
  });
}

const tag = '<p>Snow.</p><sign-translate for="news" data-for="news" controls=""></sign-translate>';
const place =
  '<p data-sign-text="It snows.">Snow.</p><div data-sign-translate="" data-for="news" data-controls=""></div>';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
  const file = join(folder, 'node_modules', path);
  if (path === '/')
    return void response
      .writeHead(200, { 'content-type': types['.html'] })
      .end('<!doctype html><div id="editor"></div>');
  if (!existsSync(file)) return void response.writeHead(404).end();
  response
    .writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    .end(readFileSync(file));
});
const port = await listen(server);
const origin = `http://127.0.0.1:${port}`;
const browser = await openOwnBrowser();

async function withPage<Value>(run: (page: Page) => Promise<Value>): Promise<Value> {
  const page = await browser.newPage();
  await page.goto(origin);
  try {
    return await run(page);
  } finally {
    await page.close();
  }
}

/** The first block of code of docs/cms.md that imports this package, as the recipe that a reader copies. */
function recipeOf(name: string): string {
  const documents = readFileSync('docs/cms.md', 'utf8');
  const fences = [...documents.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code!);
  const recipe = fences.find((code) => code.includes(`from '${name}'`));
  assert.ok(recipe, `docs/cms.md has a recipe for ${name}`);
  return recipe.replace(/^import .*\n/gm, '');
}

const fromHere = createRequire(join(folder, 'package.json'));

const purify = (code: string, html: string): Promise<string> =>
  withPage(async (page) => {
    await page.addScriptTag({ url: '/dompurify/dist/purify.js' });
    return (await page.evaluate(`${code}; clean(${JSON.stringify(html)})`)) as string;
  });

const tiny = (options: object, html: string): Promise<string> =>
  withPage(async (page) => {
    await page.addScriptTag({ url: '/tinymce/tinymce.min.js' });
    return page.evaluate(
      async (given, content) => {
        const { tinymce } = window as unknown as {
          tinymce: {
            init(options: object): Promise<{ setContent(html: string): void; getContent(): string }[]>;
          };
        };
        const [editor] = await tinymce.init({ selector: '#editor', license_key: 'gpl', ...given });
        editor!.setContent(content);
        return editor!.getContent();
      },
      options,
      html,
    );
  });

const ck = (options: string, html: string): Promise<string> =>
  withPage(async (page) => {
    await page.addScriptTag({ url: '/ckeditor5/dist/browser/ckeditor5.umd.js' });
    return (await page.evaluate(`(async () => {
      const { ClassicEditor, Essentials, Paragraph, GeneralHtmlSupport } = window.CKEDITOR;
      const editor = await ClassicEditor.create(document.getElementById('editor'), {
        licenseKey: 'GPL', plugins: [Essentials, Paragraph, GeneralHtmlSupport], initialData: ${JSON.stringify(html)}, ...(${options}),
      });
      return editor.getData();
    })()`)) as string;
  });

/** What HTML Purifier leaves of the given HTML, with `$config` as the code has made it. */
const purifyByPhp = (code: string, html: string): Promise<string> =>
  runPhp(`${code}
    echo (new HTMLPurifier($config))->purify(base64_decode('${Buffer.from(html).toString('base64')}'));`);

const hasTag = (html: string): boolean => /<sign-translate[^>]*data-for="news"/.test(html);
const hasPlace = (html: string): boolean =>
  /<div data-sign-translate(="")? data-for="news" data-controls/.test(html);
const hasText = (html: string): boolean => html.includes('data-sign-text="It snows."');

/** The PHP code in docs/cms.md. */
function phpRecipe(): string {
  const found = /```php\n([^]*?)```/.exec(readFileSync('docs/cms.md', 'utf8'));
  assert.ok(found, 'docs/cms.md has code of PHP');
  return found[1]!;
}

/** A recipe for an editor, as it is in docs/cms.md: an object after `const options = `. */
const optionsOf = (name: string): string => {
  const found = new RegExp(`## ${name}[^]*?\`\`\`js\\n(?:const options = )([^]*?);\\n\`\`\``).exec(
    readFileSync('docs/cms.md', 'utf8'),
  );
  assert.ok(found, `docs/cms.md has options for ${name}`);
  return found[1]!;
};

const tests: [title: string, run: () => Promise<void>][] = [
  [
    'docs/cms.md names the versions that are tried here',
    async () => {
      const text = readFileSync('docs/cms.md', 'utf8').toLowerCase();
      for (const [name, version] of Object.entries(packages))
        assert.ok(text.includes(`${name.replace(/5$/, '')} ${version}`), `${name} ${version}`);
    },
  ],
  [
    'sanitize-html leaves nothing of a signer by default, and all of it by the recipe',
    async () => {
      const sanitize = fromHere('sanitize-html') as ((html: string) => string) & object;
      assert.deepEqual([hasTag(sanitize(tag)), hasPlace(sanitize(place))], [false, false]);
      const clean = runInNewContext(`${recipeOf('sanitize-html')}; clean`, { sanitizeHtml: sanitize }) as (
        html: string,
      ) => string;
      assert.match(clean(tag), /<sign-translate for="news" data-for="news" controls/);
      assert.deepEqual([hasPlace(clean(place)), hasText(clean(place))], [true, true]);
    },
  ],
  [
    'DOMPurify leaves the div by default, and the tag with data-for by the recipe',
    async () => {
      const plain = 'const clean = (html) => DOMPurify.sanitize(html)';
      assert.deepEqual(
        [hasTag(await purify(plain, tag)), hasPlace(await purify(plain, place))],
        [false, true],
      );
      const cleaned = await purify(recipeOf('dompurify'), tag);
      assert.ok(hasTag(cleaned), cleaned);
      assert.ok(hasText(await purify(plain, place)));
    },
  ],
  [
    'TinyMCE leaves the div by default, and the tag by the recipe',
    async () => {
      const kept = await tiny({}, place);
      assert.ok(hasPlace(kept) && hasText(kept), kept);
      assert.ok(!hasTag(await tiny({}, tag)));
      const options = runInNewContext(`(${optionsOf('TinyMCE')})`) as object;
      const cleaned = await tiny(options, tag);
      assert.ok(hasTag(cleaned), cleaned);
    },
  ],
  [
    'CKEditor leaves nothing by default, and the div by the recipe',
    async () => {
      assert.ok(!hasPlace(await ck('{}', place)));
      const kept = await ck(optionsOf('CKEditor'), place);
      assert.ok(hasPlace(kept) && hasText(kept), kept);
    },
  ],
  [
    'HTML Purifier leaves nothing by default, and all of a signer by the recipe',
    async () => {
      await obtainHtmlPurifier();
      const plain = "<?php require 'HTMLPurifier.auto.php'; $config = HTMLPurifier_Config::createDefault();";
      assert.equal(
        await purifyByPhp(plain, `<div id="news">${tag}${place}</div>`),
        '<div><p>Snow.</p><p>Snow.</p><div></div></div>',
      );
      const cleaned = await purifyByPhp(phpRecipe(), `<div id="news">${tag}${place}</div>`);
      assert.ok(hasTag(cleaned) && hasPlace(cleaned) && hasText(cleaned), cleaned);
      assert.match(cleaned, /^<div id="news">[^]*<sign-translate for="news"/);
      assert.equal(
        await purifyByPhp(
          phpRecipe(),
          '<sign-translate onclick="x()" data-for="a"><script>x()</script>a</sign-translate>',
        ),
        '<sign-translate data-for="a">a</sign-translate>',
      );
    },
  ],
];

let failed = 0;
for (const [title, run] of tests) {
  const problem = await run().then(
    () => null,
    (error: Error) => error.stack ?? String(error),
  );
  if (problem !== null) failed += 1;
  console.log(`${problem === null ? '✔' : '✖'} ${title}${problem === null ? '' : `\n${problem}`}`);
}
await browser.close();
server.close();
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

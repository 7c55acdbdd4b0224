// Every code sample of the documents is checked: programs by their types, markup by the manifest of the elements, and
// configuration by the program that reads it.
// - Those for a page or a server are also run in one (test/page/*samples.test.ts, server-samples.test.ts), and recipes for
//   sanitisers by test/sanitisers/run.ts, settings of tools by test/tools/run.ts. Policies are tried
//   (test/page/policies.test.ts), frames of the protocol are read by its schemas (documents.test.ts), tickets are signed in
//   Python (test/proxy/sites/tickets.test.ts) and in PHP (test/tools/run.ts).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { transform } from 'esbuild';
import { Window } from 'happy-dom';
import { compile } from 'svelte/compiler';
import { compileScript, compileTemplate, parse } from 'vue/compiler-sfc';
import { parse as parseYaml } from 'yaml';
import { sitesSchema } from '../../proxy/sites/site-schema.ts';
import { ofLanguage, place, samples, type Sample } from './samples.ts';

/** The languages below, and those of samples that another test runs. */
const checked = 'html js ts tsx vue svelte css json yaml sh csp python php'.split(' ');

test('every sample is in a language that a test knows', () => {
  const unknown = samples.filter(({ language }) => !checked.includes(language));
  assert.deepEqual(
    unknown.map((sample) => `${place(sample)}: ${sample.language}`),
    [],
  );
  const unused = checked.filter((language) => ofLanguage(language).length === 0);
  assert.deepEqual(unused, [], 'the tests below would check nothing');
});

test('programs use names that exist', () => {
  const folder = '.build/samples';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const scripts = ofLanguage('html').flatMap((sample) =>
    [...sample.code.matchAll(/<script(?: type="module")?>\n([^]*?)<\/script>/g)].map(
      ({ index, 1: code }): Sample => ({
        ...sample,
        line: sample.line + sample.code.slice(0, index).split('\n').length,
        language: 'js',
        code: code!,
      }),
    ),
  );
  const programs = [...ofLanguage('js', 'ts', 'tsx'), ...scripts];
  for (const { file, line, language, code, given } of programs) {
    const name = `${file.replaceAll(/\W/g, '-')}-${line}`;
    // The code is on the line that it has in the document, so that an error names that line.
    const ambient = given.startsWith('declare module');
    if (ambient) write(`${name}-given.d.ts`, given);
    const pragma = /^\/\*\* @jsx.*\n/.exec(code)?.[0] ?? '';
    const before = `${pragma.trim()}${ambient ? '' : given.replaceAll('\n', ' ')}export {};${'\n'.repeat(line - 1)}`;
    write(`${name}.${language === 'js' ? 'ts' : language}`, before + code.replace(pragma, '\n'));
  }
  const config = {
    extends: '../../tsconfig.json',
    include: ['*', '../../dist/define.d.ts'],
    compilerOptions: {
      ...{ noEmit: true, jsx: 'react-jsx', rewriteRelativeImportExtensions: false, rootDir: '../..' },
      ...{ strict: false, noUnusedLocals: false, exactOptionalPropertyTypes: false, declaration: false },
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      paths: {
        'sign-elements': ['../../dist/index.d.ts'],
        'sign-elements/vue': ['../../dist/vue.d.ts'],
        'sign-elements/*': ['../../dist/*.d.ts'],
        'sign-elements-proxy': ['../../dist/proxy/index.d.ts'],
      },
    },
  };
  write('tsconfig.json', JSON.stringify(config));
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/typescript-native/bin/tsc', '--project', folder],
    { encoding: 'utf8' },
  );
  assert.equal(stdout, '');
});

interface Declaration {
  tagName: string;
  attributes: { name: string; type?: { text: string } }[];
  cssProperties: { name: string }[];
  cssParts: { name: string }[];
  cssStates: { name: string }[];
  events: { name: string; description: string }[];
}
interface Manifest {
  modules: { declarations: Declaration[] }[];
}
const manifest = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as Manifest;
const declarations = manifest.modules.flatMap((module) => module.declarations);
const elements = new Map(
  declarations.map(({ tagName, attributes }) => [
    tagName,
    new Map(attributes.map((one) => [one.name, one.type?.text])),
  ]),
);
const ofHtml = /^(id|class|style|slot|hidden|title|data-.*)$/;

test('markup has only tags, attributes and values that the elements have', () => {
  const wrong = ofLanguage('html').flatMap((sample) => {
    const { document } = new Window();
    document.body.innerHTML = sample.code;
    return [...document.querySelectorAll('*')].flatMap(({ localName, attributes }) => {
      if (!localName.includes('-')) return [];
      const known = elements.get(localName);
      if (!known) return [`${place(sample)}: <${localName}>`];
      return [...attributes]
        .filter(({ name, value }) => {
          const values = [...(known.get(name)?.matchAll(/'([^']*)'/g) ?? [])].map(([, one]) => one);
          return known.has(name) ? values.length > 1 && !values.includes(value ?? '') : !ofHtml.test(name);
        })
        .map(({ name, value }) => `${place(sample)}: <${localName} ${name}="${value}">`);
    });
  });
  assert.deepEqual(wrong, []);
});

test('components of Vue and Svelte compile without a warning', () => {
  for (const sample of ofLanguage('vue')) {
    const { descriptor, errors } = parse(sample.code, { filename: place(sample) });
    assert.deepEqual(errors, [], place(sample));
    if (descriptor.script ?? descriptor.scriptSetup) compileScript(descriptor, { id: 'sample' });
    const template = compileTemplate({
      source: descriptor.template?.content ?? '',
      filename: place(sample),
      id: 'sample',
      compilerOptions: { isCustomElement: (tag) => tag.startsWith('sign-') },
    });
    assert.deepEqual([...template.errors, ...template.tips], [], place(sample));
  }
  for (const sample of ofLanguage('svelte')) {
    const { warnings } = compile(sample.code, { filename: 'Sample.svelte' });
    assert.deepEqual(
      warnings.map(({ message }) => message),
      [],
      place(sample),
    );
  }
});

test('style sheets and JSON are well-formed, and YAML is a file of sites', async () => {
  for (const sample of ofLanguage('css')) {
    const { warnings } = await transform(sample.code, { loader: 'css' });
    assert.deepEqual(
      warnings.map(({ text }) => text),
      [],
      place(sample),
    );
  }
  for (const { code } of ofLanguage('json')) JSON.parse(code);
  for (const sample of ofLanguage('yaml')) {
    const problems = sitesSchema.safeParse(parseYaml(sample.code)).error?.issues;
    assert.equal(problems, undefined, `${place(sample)}: a file of sites`);
  }
});

test('style sheets name properties, parts and states that an element has, and the rule that reserves space equals the rule in the package', async () => {
  const known = new Set(
    declarations.flatMap(({ cssProperties, cssParts, cssStates, events }) => [
      ...cssProperties.map(({ name }) => name),
      ...cssParts.map(({ name }) => `::part(${name})`),
      ...cssStates.map(({ name }) => `:state(${name})`),
      // Each state in the detail of this event is a CSS state.
      ...events
        .filter(({ name }) => name === 'sign-statechange')
        .flatMap(({ description }) => [...description.matchAll(/`(\w+)`/g)])
        .map(([, name]) => `:state(${name})`),
    ]),
  );
  const unknown = ofLanguage('css').flatMap((sample) =>
    [...sample.code.matchAll(/--sign-[\w-]+|::part\([\w-]+\)|:state\([\w-]+\)/g)]
      .filter(([name]) => !known.has(name))
      .map(([name]) => `${place(sample)}: ${name}`),
  );
  assert.deepEqual(unknown, []);
  const minified = async (code: string): Promise<string> =>
    (await transform(code, { loader: 'css', minify: true })).code;
  const rule = ofLanguage('css').find(({ code }) => code.includes(':not(:defined)'));
  assert.equal(
    await minified(rule!.code),
    await minified(readFileSync('dist/cdn/sign-elements.css', 'utf8')),
  );
});

test('settings in JSON equal those of the example that test:frameworks runs, and name a file of the package', async () => {
  const found = (words: string): unknown =>
    JSON.parse(ofLanguage('json').find(({ code }) => code.includes(words))!.code);
  const { default: settings } = (await import('../../demo/examples/angular/proxy.conf.mjs')) as {
    default: object;
  };
  assert.deepEqual(found('"target"'), settings);
  const { 'html.customData': files } = found('customData') as { 'html.customData': string[] };
  for (const file of files) assert.ok(existsSync(file.replace('node_modules/sign-elements/', '')), file);
});

test('a shell can parse the commands', () => {
  for (const sample of ofLanguage('sh')) {
    const { stderr } = spawnSync('bash', ['-n'], { input: sample.code, encoding: 'utf8' });
    assert.equal(stderr, '', place(sample));
  }
});

test('a content security policy has only directives and sources that browsers know', () => {
  const directive =
    /^(default|script|style|connect|media|img|worker|frame)-src( ('(self|none|strict-dynamic|unsafe-inline|nonce-[\w-]+|sha256-[\w+/=]+)'|https:|(https|wss):\/\/[\w.-]+|blob:|data:))+$|^(base-uri|form-action) 'none'$|^require-trusted-types-for 'script'$|^trusted-types( [\w-]+)+( 'allow-duplicates')?$/;
  for (const sample of ofLanguage('csp')) {
    const directives = sample.code.replace(/^Content-Security-Policy:/, '').split(';');
    for (const one of directives.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean)) {
      assert.match(one, directive, place(sample));
    }
  }
});

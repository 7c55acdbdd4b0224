// Each component of docs/frameworks.md runs in its framework, takes its attributes, and gets the events of the element.
// - The repository does not depend on the compilers of Angular and Solid: `npm run test:frameworks` runs the samples with them.
//   Here Solid runs without its compiler.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { build, type Loader } from 'esbuild';
import { compile } from 'svelte/compiler';
import { compileScript, parse } from 'vue/compiler-sfc';
import { ofLanguage, place, type Sample } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** The built component of a project, and the lines that put it on the page. */
interface Made {
  readonly code: string;
  readonly loader: Loader;
  readonly mount: string;
}

const isCustomElement = (tag: string): boolean => tag.startsWith('sign-');

const frameworks: Readonly<Record<string, (sample: Sample) => Made>> = {
  vue({ code }) {
    const { descriptor } = parse(code, { filename: 'Sample.vue' });
    const templateOptions = { compilerOptions: { isCustomElement } };
    const { content } = compileScript(descriptor, { id: 'sample', inlineTemplate: true, templateOptions });
    return {
      code: content,
      loader: 'ts',
      mount: "import { createApp } from 'vue';\ncreateApp(sample.default).mount('#root');",
    };
  },
  svelte({ code }) {
    const { js } = compile(code, { filename: 'Sample.svelte', generate: 'client' });
    return {
      code: js.code,
      loader: 'js',
      mount:
        "import { mount } from 'svelte';\nmount(sample.default, { target: document.getElementById('root') });",
    };
  },
  tsx({ code }) {
    const [, source = 'react'] = /@jsxImportSource (\S+)/.exec(code) ?? [];
    const component = 'const [Sample] = Object.values(sample);';
    const mounts: Readonly<Record<string, string>> = {
      react: `import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
        ${component} createRoot(document.getElementById('root')).render(createElement(Sample));`,
      preact: `import { h, render } from 'preact'; ${component} render(h(Sample), document.getElementById('root'));`,
      'solid-js': `import { render } from 'solid-js/web'; import h from 'solid-js/h';
        ${component} render(() => h(Sample), document.getElementById('root'));`,
    };
    return {
      code: source === 'solid-js' ? code.replace('solid-js', 'solid-js/h') : code,
      loader: 'tsx',
      mount: mounts[source]!,
    };
  },
};

async function bundle(name: string, { code, loader, mount }: Made): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents: `import * as sample from 'sample:';\n${mount}`, resolveDir: '.' },
    plugins: [
      {
        name: 'sample',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^sample:/ }, ({ path }) => ({ path, namespace: 'sample' }));
          onLoad({ filter: /./, namespace: 'sample' }, () => ({ contents: code, loader, resolveDir: '.' }));
        },
      },
    ],
    alias: { 'sign-elements': './dist' },
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true' },
    ...{ bundle: true, splitting: true, format: 'esm', target: 'es2022', write: false, outdir: '/' },
    ...{ jsx: 'automatic', entryNames: name, logLevel: 'error' },
  });
  for (const { path, text } of outputFiles) site.scripts.set(path, text);
}

const components = ofLanguage('tsx', 'vue', 'svelte');

test('there is a component of each framework', () => assert.ok(components.length >= 7));

for (const [at, sample] of components.entries()) {
  test(`${place(sample)} (${sample.language}) signs, and its handlers are called`, async () => {
    await bundle(`component-${at}`, frameworks[sample.language]!(sample));
    const { page, problems } = await site.open(
      `<div id="root"></div>${sample.code.includes('<article') || sample.code.includes('<main') ? '' : '<p id="news">Snow falls.</p>'}
       <script type="module" src="/component-${at}.js"></script>`,
    );
    await page.waitForSelector('#root sign-translate:defined');
    const found = await page.evaluate(async (prefix) => {
      const signer = document.querySelector('sign-translate')!;
      signer.proxy = prefix;
      signer.resolution = '480p';
      const said = new Promise<string>((resolve) => {
        signer.addEventListener('sign-start', ({ detail }) => resolve(detail.text));
      });
      const logged: unknown[] = [];
      console.log = (...words) => void logged.push(...words);
      signer.play().catch(() => {});
      const first = await said;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return { first, logged, isControlled: signer.controls, options: signer.generateOptions };
    }, proxy);
    assert.match(found.first, /^(The library opens at nine|Snow falls)\.$/);
    assert.equal(found.isControlled, true);
    if (sample.code.includes('application:'))
      assert.deepEqual(found.options, { context: { application: 'library' } });
    if (sample.code.includes('console.log(detail.text)')) assert.deepEqual(found.logged, [found.first]);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

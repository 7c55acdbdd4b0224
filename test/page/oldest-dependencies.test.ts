// The package with the oldest of its dependencies that its version ranges allow; every other test has the newest of them.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { build } from 'esbuild';
import { readManifest } from '../package/built-files.ts';
import { openSite } from './site.ts';

const { dependencies } = readManifest('package.json');
const oldest = Object.keys(dependencies).map((name) => [name, `${name}-oldest`] as const);

const site = await openSite();
after(() => site.close());

test('each version range begins at the version that is tested here, and includes the installed one', () => {
  for (const [name, alias] of oldest) {
    const [first, newest] = [alias, name].map(
      (folder) => readManifest(`node_modules/${folder}/package.json`).version,
    );
    assert.equal(dependencies[name], `^${first}`);
    assert.equal(newest?.split('.')[0], first?.split('.')[0]);
  }
});

test('with the oldest dependencies a text is signed as a clip, and one in a stream', async () => {
  const { outputFiles } = await build({
    entryPoints: ['dist/define.js'],
    alias: Object.fromEntries(oldest),
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'error' },
  });
  site.scripts.set('/oldest.js', outputFiles[0]!.text);
  const { page, problems } = await site.open('<script type="module" src="/oldest.js"></script>');
  const signed = await page.evaluate(async (proxy) => {
    await customElements.whenDefined('sign-translate');
    const texts: string[] = [];
    for (const mode of ['translate', 'stream'] as const) {
      const element = Object.assign(document.createElement('sign-translate'), {
        proxy,
        mode,
        resolution: '480p',
      });
      document.body.append(element);
      texts.push((await element.sign(mode)).text);
      element.remove();
    }
    return texts;
  }, site.backend.addresses.proxy);
  assert.deepEqual([signed, problems], [['translate', 'stream'], []]);
});

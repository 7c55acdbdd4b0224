// The programs of the documentation that are meant for a page run in a page to their end, one after the other.
// - The page has an element of each kind, and the package as a bundler finds it. Only the addresses are others.
// - Those for a server are run by test/docs/server-samples.test.ts.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { ofLanguage, place } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** The variables that a sample leaves out. */
const SIGNER = "const signer = document.querySelector('sign-translate');\n";
const ofPages = [
  ...ofLanguage('ts')
    .filter(({ given }) => given.startsWith('declare const signer:'))
    .map((sample) => ({ ...sample, code: SIGNER + sample.code })),
  ...ofLanguage('js').filter(
    ({ given, code }) => given === '' && !/export default|sign-elements-proxy/.test(code),
  ),
];
/** A sample that changes all requests of the page comes last. */
const forPages = [false, true].flatMap((last) =>
  ofPages.filter(({ code }) => code.includes('configure(') === last),
);

test('each program for a page runs to its end', async () => {
  assert.ok(forPages.length >= 7);
  const { outputFiles } = await build({
    stdin: {
      contents: `window.samples = [${forPages.map((_, index) => `() => import('sample:${index}')`).join()}];`,
      resolveDir: '.',
    },
    plugins: [
      {
        name: 'samples',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^sample:/ }, ({ path }) => ({ path, namespace: 'sample' }));
          onLoad({ filter: /./, namespace: 'sample' }, ({ path }) => ({
            contents: forPages[Number(path.split(':')[1])]!.code.replaceAll(
              'https://signs.example.org/sign',
              proxy,
            ).replaceAll('wss://signs.example.org/sign', proxy.replace(/^http/, 'ws')),
            loader: 'ts',
            resolveDir: '.',
          }));
        },
      },
    ],
    // The package itself, by the names that it exports.
    alias: { 'sign-elements': './dist' },
    ...{ bundle: true, splitting: true, format: 'esm', target: 'es2022', write: false, outdir: '/' },
    ...{ entryNames: 'samples', logLevel: 'error' },
  });
  for (const { path, text } of outputFiles) site.scripts.set(path, text);
  const { page, problems } = await site.open(
    `<script type="module" src="${proxy}/elements.js"></script>
     <script type="module" src="/samples.js"></script>
     <sign-translate resolution="480p"></sign-translate>
     <sign-announcement></sign-announcement>`,
  );
  const written: string[] = [];
  page.on('console', (message) => written.push(message.text()));
  await page.waitForFunction('window.samples');
  await page.$$eval('sign-translate, sign-announcement', (elements) => {
    for (const element of elements) element.playbackRate = 2;
  });
  for (const [index, sample] of forPages.entries()) {
    const failure = await page.evaluate(`samples[${index}]().then(() => null, String)`);
    assert.equal(failure, null, place(sample));
  }
  assert.deepEqual(problems, []);
  // By the listener of docs/elements.md.
  assert.match(written.join('\n'), /^first frame after \d+\.\d\d s, \d+ stalls$/m);
  await page.close();
});

test('the date that docs/sign-live-player.md gives a video is the date of its first second', () => {
  const [sample] = ofLanguage('js').filter(({ code }) => code.includes('getStartDate'));
  const video = { currentTime: 4, getStartDate: () => new Date(NaN) };
  runInNewContext(sample!.code, { video, hls: { playingDate: new Date(10_000) }, Date, NaN });
  assert.equal(video.getStartDate().getTime(), 6_000);
});

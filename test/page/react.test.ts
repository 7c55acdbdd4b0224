// The React components as React 19 renders them: to the HTML of a server, which the same components then hydrate in a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { build } from 'esbuild';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { SignTranslate } from '../../dist/react.js';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());

const props = {
  signer: 'JAY',
  controls: true,
  debug: false,
  idleAfter: 'none',
  resolution: '480p',
  className: 'beside',
  generateOptions: { tone: 'calm' },
} as const;

test('a server renders the properties that have an attribute, and `use client` marks the components for Next.js', () => {
  const html = renderToString(createElement(SignTranslate, props));
  const attributes = 'signer="JAY" controls="" idle-after="none" resolution="480p" class="beside"';
  assert.equal(html, `<sign-translate ${attributes}></sign-translate>`);
  assert.match(readFileSync('dist/react.js', 'utf8'), /^'use client';/);
});

test('a component is hydrated without a warning, sets properties, and gets media events and our own events, in StrictMode too', async () => {
  const proxy = JSON.stringify(site.backend.addresses.proxy);
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { StrictMode, createElement, createRef } from 'react';
        import { hydrateRoot } from 'react-dom/client';
        import { SignTranslate } from './dist/react.js';
        const heard = [];
        const note = ({ type }) => heard.push(type);
        const ref = createRef();
        const props = { ...${JSON.stringify(props)}, proxy: ${proxy}, ref, onPlay: note, onEnded: note, onTimeUpdate() {}, onSignStart: note };
        const show = (more) => createElement(StrictMode, null, createElement(SignTranslate, { ...props, ...more }));
        const root = hydrateRoot(document.getElementById('root'), show({}), {
          onRecoverableError: (error) => heard.push(String(error)),
        });
        Object.assign(window, { heard, ref, again: (more) => root.render(show(more)) });
      `,
      resolveDir: '.',
    },
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'error', target: 'es2022' },
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  site.scripts.set('/app.js', outputFiles[0]!.text);
  const served = renderToString(
    createElement(SignTranslate, { ...props, proxy: site.backend.addresses.proxy }),
  );
  const { page, problems } = await site.open(
    `<div id="root">${served}</div><script type="module" src="/app.js"></script>`,
  );
  await page.waitForFunction('window.ref?.current?.isConnected');
  const outcome = await page.evaluate(async () => {
    const { heard, ref, again } = window as unknown as {
      heard: string[];
      ref: { current: HTMLElementTagNameMap['sign-translate'] };
      again(more: object): void;
    };
    const element = ref.current;
    const { generateOptions, controls, idleAfter, signer } = element;
    const ended = new Promise((resolve) => element.addEventListener('ended', resolve));
    await element.sign('Hello');
    await ended;
    again({ controls: false, generateOptions: null });
    await new Promise((resolve) => {
      new MutationObserver(resolve).observe(element, { attributeFilter: ['controls'] });
    });
    return { generateOptions, controls, idleAfter, signer, heard, later: element.generateOptions };
  });
  const { heard, ...read } = outcome;
  const { generateOptions, controls, idleAfter, signer } = props;
  assert.deepEqual(read, { generateOptions, controls, idleAfter, signer, later: null });
  assert.deepEqual([heard, problems], [['play', 'sign-start', 'ended'], []]);
});

test('a raw tag, and a panel that opens by itself, are hydrated without a warning after they were upgraded', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createElement } from 'react';
        import { hydrateRoot } from 'react-dom/client';
        import './dist/define.js';
        const tags = [...document.querySelectorAll('#tags > *')];
        await Promise.all(tags.map((tag) => tag.updateComplete));
        const complaints = [];
        const show = ({ localName, attributes: { placement } }) =>
          createElement(localName, { key: localName, ...(placement && { placement: placement.value }) });
        const { error } = console;
        console.error = (...words) => complaints.push(words.join(' '));
        hydrateRoot(document.getElementById('tags'), tags.map(show), { onRecoverableError: (error) => complaints.push(String(error)) });
        requestIdleCallback(() => {
          console.error = error;
          window.complaints = complaints;
        });
      `,
      resolveDir: '.',
    },
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'error', target: 'es2022' },
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  site.scripts.set('/raw.js', outputFiles[0]!.text);
  const tags =
    '<sign-translate placement="bottom-right"></sign-translate><sign-live-player></sign-live-player><sign-announcement></sign-announcement>';
  const { page } = await site.open(
    `<div id="tags">${tags}</div><script type="module" src="/raw.js"></script>`,
  );
  await page.waitForFunction('window.complaints');
  assert.deepEqual(await page.evaluate('window.complaints'), []);
  assert.equal(await page.$eval('#tags', ({ innerHTML }) => innerHTML), tags);
});

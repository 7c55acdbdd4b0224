// The elements in the simulated pages of a site's unit tests: they do nothing there, and do not throw.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

const happyDom = `const { Window } = await import('happy-dom'); const page = new Window({ url: 'http://localhost/' });`;
const pages = {
  'happy-dom': happyDom,
  'a page with style sheets and no ResizeObserver, as jsdom 31,': `${happyDom} page.ResizeObserver = undefined;`,
  'jsdom 24': `const { JSDOM } = (await import('jsdom-24')).default;
    const page = new JSDOM('<!doctype html>', { url: 'http://localhost/', pretendToBeVisual: true }).window;`,
};

/** Makes the names of the page globals before the elements are imported, as a test runner does. */
const script = (open: string): string => `
  ${open}
  const own = ['Event', 'EventTarget', 'CustomEvent', 'AbortController', 'AbortSignal', 'DOMException'];
  const inherited = ['addEventListener', 'removeEventListener', 'dispatchEvent'];
  for (const name of [...Object.getOwnPropertyNames(page), 'HTMLElement', 'document', 'customElements', ...inherited, ...own]) {
    if (name in globalThis && !own.includes(name)) continue;
    const value = inherited.includes(name) ? page[name].bind(page) : page[name];
    if (value !== undefined) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  globalThis.window = page;
  const problems = [];
  process.on('unhandledRejection', (error) => problems.push(String(error)));
  page.addEventListener('error', ({ message }) => problems.push(message));
  await import('./dist/define.js');
  const settings = [{}, { placement: 'bottom-right', controls: '' }, { placement: 'top-left', launcher: '', for: 'x' }];
  for (const name of ['translate', 'live-player', 'silence-loop', 'announcement']) {
    for (const attributes of settings) {
      const element = document.createElement('sign-' + name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      document.body.append(element);
      await element.updateComplete;
      if (!element.shadowRoot.querySelector('[part=box]') || !element.paused) problems.push(name + ' is not there');
      // What a placed element loads.
      await import('./dist/panel/panel.js');
      await new Promise((resolve) => setTimeout(resolve));
      await element.updateComplete;
      // A button looks for bars of the page half a second later.
      await page.happyDOM?.waitUntilComplete();
      element.show();
      await element.updateComplete;
      element.hide();
      await element.updateComplete;
      element.remove();
    }
  }
  console.log(JSON.stringify(problems));
  process.exit();
`;

for (const [name, open] of Object.entries(pages)) {
  test(`under ${name} each element can be made, rendered, placed, opened, closed and removed`, () => {
    const args = ['--conditions=browser', '--input-type=module', '--eval', script(open)];
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(printed.trim().split('\n').at(-1)!), []);
  });
}

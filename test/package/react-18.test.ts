// The components for React where React is of version 18, which writes attributes of an element that it does not know, and sets no
// properties.
// - Only the version is that of React 18: the components read it when they are loaded. The real one is in test/frameworks.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

/** What a test runner does: the names of the page become globals, before the components are imported. */
const script = `
  const { Window } = await import('happy-dom');
  const page = new Window({ url: 'http://localhost/' });
  const inherited = ['addEventListener', 'removeEventListener', 'dispatchEvent'];
  for (const name of [...Object.getOwnPropertyNames(page), ...inherited]) {
    if (name in globalThis) continue;
    const value = inherited.includes(name) ? page[name].bind(page) : page[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  globalThis.window = page;
  const { createRequire } = await import('node:module');
  const React = createRequire(process.cwd() + '/')('react');
  const { version } = React;
  React.version = '18.3.1';
  const { SignTranslate } = await import('./dist/react.js');
  React.version = version;
  const { createRoot } = await import('react-dom/client');
  const { flushSync } = await import('react-dom');
  const root = createRoot(document.body);
  const seen = [];
  for (const open of [false, true, false, undefined]) {
    flushSync(() => root.render(React.createElement(SignTranslate, { placement: 'bottom-right', open })));
    seen.push(document.querySelector('sign-translate').open);
  }
  console.log(JSON.stringify(seen));
  process.exit();
`;

test('a panel is open as its prop says, from the start, and as usual without the prop', () => {
  const args = ['--conditions=browser', '--input-type=module', '--eval', script];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(printed.trim().split('\n').at(-1)!), [false, true, false, true]);
});

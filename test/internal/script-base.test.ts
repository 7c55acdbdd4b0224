// The default of `proxy` (SEMANTICS, "Default of `proxy`"): which script addresses name a proxy and which do not.
import assert from 'node:assert/strict';
import test from 'node:test';
import { defaultProxy, proxyPrefixOf, setDefaultProxy } from '../../src/internal/script-base.ts';

const served: [scriptUrl: string, prefix: string][] = [
  ['https://example.org/sign/elements.js', 'https://example.org/sign'],
  ['https://example.org/sign/elements.classic.js', 'https://example.org/sign'],
  ['https://example.org/sign/sign-elements.js', 'https://example.org/sign'],
  ['https://example.org/sign/sign-elements.classic.js', 'https://example.org/sign'],
  ['http://127.0.0.1:8787/sign/elements.js?v=3#top', 'http://127.0.0.1:8787/sign'],
  ['https://example.org/a/b/c/elements.js', 'https://example.org/a/b/c'],
  ['https://example.org/elements.js', 'https://example.org'],
  ['https://example.org/sign/elements-0123456789ab.js', 'https://example.org/sign'],
  ['https://example.org/sign/elements-0123456789ab.classic.js', 'https://example.org/sign'],
  ['https://example.org/cdn/elements.js', 'https://example.org/cdn'],
];

for (const [scriptUrl, prefix] of served) {
  test(`a script loaded from ${scriptUrl} has its proxy at ${prefix}`, () => {
    assert.equal(proxyPrefixOf(scriptUrl), prefix);
  });
}

const elsewhere: [what: string, scriptUrl: string][] = [
  ['an npm CDN', 'https://cdn.jsdelivr.net/npm/sign-elements@0.1.0/dist/cdn/sign-elements.js'],
  ['another npm CDN', 'https://unpkg.com/sign-elements@0.1.0/dist/cdn/sign-elements.classic.js'],
  [
    "a site's own copy of the package",
    'https://example.org/node_modules/sign-elements/dist/cdn/sign-elements.js',
  ],
  ["a site's own assets", 'https://example.org/assets/sign-elements.js'],
  ["a site's own scripts", 'https://example.org/theme/js/elements.js'],
  ['a file of another name', 'https://example.org/sign/bundle.js'],
  ['a name that only ends alike', 'https://example.org/sign/my-elements.js'],
  ['a chunk', 'https://example.org/sign/chunks/shared-a1b2c3d4.js'],
  ['a name in the query', 'https://example.org/bundle.js?from=/sign/elements.js'],
  ['a file on disk', 'file:///srv/sign/elements.js'],
  ['a blob', 'blob:https://example.org/sign/elements.js'],
  ['no address', 'elements.js'],
];

for (const [what, scriptUrl] of elsewhere) {
  test(`${what} names no proxy: ${scriptUrl}`, () => {
    assert.equal(proxyPrefixOf(scriptUrl), null);
  });
}

test('the default proxy is /sign until it is set', () => {
  assert.equal(defaultProxy(), '/sign');
  setDefaultProxy('https://example.org/elsewhere');
  assert.equal(defaultProxy(), 'https://example.org/elsewhere');
  setDefaultProxy('/sign');
});

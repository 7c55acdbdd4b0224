// Two copies of the product on one page, and code without a page.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { safeDefine } from '../../src/internal/safe-define.ts';

/** The part of a registry that definitions use. Like the real one it throws when a name is taken. */
function registry(): CustomElementRegistry {
  const defined = new Map<string, CustomElementConstructor>();
  const fake: Pick<CustomElementRegistry, 'define' | 'get'> = {
    define(tag, element) {
      if (defined.has(tag)) throw new DOMException(`${tag} is taken`, 'NotSupportedError');
      defined.set(tag, element);
    },
    get: (tag) => defined.get(tag),
  };
  return fake as CustomElementRegistry;
}

const release = (version: string) =>
  class {
    static version = version;
  } as unknown as CustomElementConstructor & { version: string };

const warningsIn = (t: TestContext) => t.mock.method(console, 'warn', () => {}).mock;

test('an element is defined under its tag name', () => {
  const page = registry();
  const element = release('1.0.0');
  safeDefine('sign-first', element, page);
  assert.equal(page.get('sign-first'), element);
});

test('a second copy of the same version changes nothing and reports nothing', (t) => {
  const warnings = warningsIn(t);
  const page = registry();
  const first = release('1.0.0');
  safeDefine('sign-same', first, page);
  safeDefine('sign-same', release('1.0.0'), page);
  assert.equal(page.get('sign-same'), first);
  assert.equal(warnings.callCount(), 0);
});

test('a second copy of another version is not defined and is reported once', (t) => {
  const warnings = warningsIn(t);
  const page = registry();
  const first = release('1.0.0');
  safeDefine('sign-other', first, page);
  safeDefine('sign-other', release('2.0.0'), page);
  safeDefine('sign-other', release('2.0.0'), page);
  assert.equal(page.get('sign-other'), first);
  assert.equal(warnings.callCount(), 1);
  assert.match(String(warnings.calls[0]?.arguments[0]), /<sign-other>: 1\.0\.0 .* 2\.0\.0/);
});

test("another author's element of the same name stays, and is reported", (t) => {
  const warnings = warningsIn(t);
  const page = registry();
  const stranger = class {} as unknown as CustomElementConstructor;
  page.define('sign-stranger', stranger);
  safeDefine('sign-stranger', release('1.0.0'), page);
  assert.equal(page.get('sign-stranger'), stranger);
  assert.equal(warnings.callCount(), 1);
});

test('without a registry, as in Node, nothing happens', () => {
  assert.equal(globalThis.customElements, undefined);
  assert.doesNotThrow(() => safeDefine('sign-nowhere', release('1.0.0')));
});

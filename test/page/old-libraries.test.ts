// The cdn build on pages whose old libraries replaced functions of the language, added some to every object, or load modules.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

// What Prototype.js 1.7.3 and MooTools 1.4.5 put in place of the platform's functions.
site.scripts.set(
  '/prototype.js',
  `Array.from = (list) => {
    if (!list) return [];
    const items = new Array(list.length || 0);
    for (let at = 0; at < items.length; at += 1) items[at] = list[at];
    return items;
  };
  Array.prototype.entries = function () { return this.slice(); };
  Array.prototype.each = function (visit) { for (const item of this) visit(item); };
  Object.values = (object) => {
    const values = [];
    for (const name in object) values.push(object[name]);
    return values;
  };`,
);
site.scripts.set(
  '/mootools.js',
  `Array.from = (item) => (item == null ? [] : Array.isArray(item) ? item
    : typeof item !== 'string' && typeof item.length === 'number' ? Array.prototype.slice.call(item) : [item]);
  // Lit looks there for what it styles with under the policy of this site.
  const { prototype } = Document;
  window.Document = function () {};
  window.Document.prototype = Object.create(prototype);
  window.Event = function (event) {
    const { type, target } = event || window.event;
    if (type.startsWith('key')) this.code = event.keyCode;
    this.target = target;
  };`,
);
// What Prototype.js 1.3 added to every object.
site.scripts.set(
  '/members.js',
  `Object.prototype.extend = function (more) {
    for (const name in more) this[name] = more[name];
    return this;
  };`,
);

const libraries = { prototype: 'Prototype.js', mootools: 'MooTools', members: 'Prototype.js 1.3' };

for (const [library, name] of Object.entries(libraries)) {
  test(`a page with ${name} is read and signed to its end`, async () => {
    const { page, problems } = await site.open(
      `<script src="/${library}.js"></script>
       <main id="story"><p>The first sentence. The second sentence, which is longer.</p><p>The last.</p></main>
       <sign-translate for="story"></sign-translate>
       <script type="module" src="${proxy}/elements.js"></script>`,
    );
    await page.evaluate(async () => {
      await customElements.whenDefined('sign-translate');
      await document.querySelector('sign-translate')!.read();
    });
    await page.waitForFunction(() => {
      const { queue } = document.querySelector('sign-translate')!;
      return queue.length === 3 && queue.every(({ state }) => state === 'signed');
    });
    assert.deepEqual(problems, []);
    await page.close();
  });
}

// RequireJS, which Moodle and Magento load, takes an anonymous module that no script of its own asked for as an error of the page.
test('a page with RequireJS and a Shaka of its own plays DASH, and its module loader gets no module', async () => {
  site.scripts.set(
    '/require.js',
    `window.defined = [];
    window.define = (...module) => window.defined.push(module);
    window.define.amd = {};
    window.shaka = 'of the page';`,
  );
  const { page, problems } = await site.open(
    `<script src="/require.js"></script><sign-live-player></sign-live-player>
     <script type="module" src="${proxy}/elements.js"></script>`,
  );
  const found = await page.evaluate(async (prefix) => {
    const answer = await fetch(`${prefix}/v2/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        content: { type: 'text', data: 'Good morning' },
        output: { format: 'hls', delivery: { method: 'stream' } },
        context: { application: 'test' },
      }),
    });
    const { manifests } = (await answer.json()) as { manifests: { dash: string } };
    await customElements.whenDefined('sign-live-player');
    const player = document.querySelector('sign-live-player')!;
    const first = new Promise<string>((resolve) => {
      for (const type of ['playing', 'sign-error'])
        player.addEventListener(type, () => resolve(type), { once: true });
    });
    player.src = manifests.dash;
    const { defined, shaka } = window as unknown as Record<string, unknown>;
    return [await first, defined, shaka];
  }, proxy);
  assert.deepEqual(found, ['playing', [], 'of the page']);
  assert.deepEqual(problems, []);
  await page.close();
});

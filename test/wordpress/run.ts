// `npm run test:wordpress`: the plugin of demo/wordpress in a real WordPress, as an admin, an author and a visitor use it.
// - The proxy requires tickets, which the plugin's endpoint makes. The repository must be built.
// - The last line is `N passed, N failed`.
import assert from 'node:assert/strict';
import type { Page } from 'puppeteer-core';
import { end, enter, KEY, origin, post, prefix, settings, started, submit } from './harness.ts';

let admin: Page;
let author: Page;
let visitor: Page;

const tests: [title: string, run: () => Promise<void>][] = [
  [
    'an admin turns the plugin on and makes an author',
    async () => {
      admin = await enter('admin', 'password');
      await admin.goto(`${origin}/wp-admin/plugins.php`);
      await Promise.all([admin.waitForNavigation(), admin.click('#activate-sign-elements')]);
      assert.ok(await admin.$('#deactivate-sign-elements'));
      await admin.goto(`${origin}/wp-admin/user-new.php`);
      await admin.waitForSelector('#pass1');
      const fields = {
        '#user_login': 'ann',
        '#email': 'ann@example.org',
        '#role': 'author',
        '#pass1': 'a-long-password-of-ann',
      };
      await submit(admin, { ...fields, '#pass2': 'a-long-password-of-ann' }, '#createusersub');
      author = await enter('ann', 'a-long-password-of-ann');
      visitor = await enter();
    },
  ],
  [
    'an admin sets the address of the proxy; an invalid one is reported and not kept, markup is text, and the key is not shown',
    async () => {
      await admin.goto(settings);
      const markup = '"><b id="injected">x</b>';
      await submit(
        admin,
        { '#sign-proxy': prefix, '#sign-signer': markup, '#sign-tickets': true, '#sign-key': KEY },
        '#submit',
      );
      assert.equal(await admin.$eval('#sign-proxy', (field) => (field as HTMLInputElement).value), prefix);
      const unnamed = await admin.$$eval('.wrap :is(label, [aria-describedby])', (found) =>
        found
          .map((one) => one.getAttribute('for') ?? one.getAttribute('aria-describedby'))
          .filter((id) => id !== null && document.getElementById(id) === null),
      );
      assert.deepEqual(unnamed, []);
      assert.equal(await admin.$('#injected'), null);
      assert.ok(!(await admin.content()).includes(KEY));
      await submit(admin, { '#sign-proxy': 'javascript:alert(1)', '#sign-signer': '' }, '#submit');
      assert.match(
        await admin.$eval('.notice-error', (notice) => notice.textContent ?? ''),
        /proxy is a path/,
      );
      assert.equal(await admin.$eval('#sign-proxy', (field) => (field as HTMLInputElement).value), prefix);
    },
  ],
  [
    'an author cannot open the settings, and a form without the nonce changes nothing',
    async () => {
      const shown = await author.goto(settings);
      assert.equal(shown?.status(), 403);
      const send = (page: Page): Promise<number> =>
        page.evaluate(async () => {
          const body = new URLSearchParams({
            option_page: 'sign_elements',
            action: 'update',
            'sign_elements[proxy]': '/evil',
          });
          return (await fetch('/wp-admin/options.php', { method: 'POST', body })).status;
        });
      assert.equal(await send(author), 403);
      assert.equal(await send(admin), 403);
      await admin.goto(settings);
      assert.equal(await admin.$eval('#sign-proxy', (field) => (field as HTMLInputElement).value), prefix);
    },
  ],
  [
    'a visitor opens the signer of a post, which is read without title, author, menu and comments',
    async () => {
      const { link } = await post(
        author,
        'A title',
        '<p>The library opens at nine.</p><p>It closes at five.</p>',
      );
      await visitor.goto(link);
      const button = await visitor.waitForSelector('sign-translate >>> .launcher', { visible: true });
      await button!.press('Enter');
      const start = await visitor.waitForSelector('sign-translate >>> .start', { visible: true });
      await visitor.evaluate(() => {
        const read: string[] = [];
        Object.assign(window, { read });
        document.body.addEventListener('sign-end', (event) => read.push(event.detail.text));
      });
      await start!.press('Enter');
      await visitor.waitForFunction('window.read.length === 2');
      const { read, all } = (await visitor.evaluate(() => {
        const { queue } = document.querySelector('sign-translate')!;
        return { read: (window as unknown as { read: string[] }).read, all: queue.map(({ text }) => text) };
      })) as { read: string[]; all: string[] };
      assert.deepEqual(read, ['The library opens at nine.', 'It closes at five.']);
      assert.deepEqual(
        all.filter((text) => !read.includes(text)),
        [],
      );
    },
  ],
  [
    'the endpoint gives tickets to pages of the site, and none to those of another',
    async () => {
      const address = '/index.php?rest_route=/sign-elements/v1/ticket';
      const own = await visitor.evaluate(async (at) => {
        const answer = await fetch(at);
        return [answer.status, answer.headers.get('content-type'), await answer.text()] as const;
      }, address);
      assert.equal(own[0], 200);
      assert.match(String(own[1]), /^text\/plain/);
      assert.match(own[2], /^default\.[\w-]+\.[\w-]+$/);
      const other = await fetch(origin + address, { headers: { 'sec-fetch-site': 'cross-site' } });
      assert.equal(other.status, 401);
    },
  ],
  [
    'an author places a signer by shortcode, tag and div, and cannot name another proxy',
    async () => {
      for (const [content, kept] of [
        [
          '<p>Snow.</p>[sign_elements placement="top-left" proxy="https://evil.example" onclick="x"]',
          /\[sign_elements/,
        ],
        [
          '<p>Snow.</p><sign-translate for="sign-post-1" proxy="https://evil.example" onclick="x()"></sign-translate>',
          /<sign-translate for="sign-post-1"><\/sign-translate>/,
        ],
        [
          '<p>Snow.</p><sign-translate data-for="p" data-proxy="https://evil.example" data-ticket="x"></sign-translate>',
          /<sign-translate data-for="p"/,
        ],
        [
          '<p>Snow.</p><div data-sign-translate data-for="p" data-proxy="https://evil.example" data-onclick="x()">x</div>',
          /<div data-sign-translate data-for="p"/,
        ],
      ] as const) {
        const { link, raw } = await post(author, 'Snow', content);
        assert.match(raw, kept);
        await visitor.goto(link);
        const signer = await visitor.waitForSelector('sign-translate:defined, sign-translate[launcher]');
        const given = await signer!.evaluate((element) => [
          element.getAttribute('onclick'),
          (element as HTMLElementTagNameMap['sign-translate']).proxy ?? element.getAttribute('proxy'),
          element.getAttribute('ticket')?.includes('sign-elements/v1/ticket'),
        ]);
        assert.deepEqual(given, [null, prefix, true], content);
        assert.equal((await visitor.$$('sign-translate')).length, 1, content);
      }
    },
  ],
  [
    'an author puts the block into a post in the editor, and it is on the page',
    async () => {
      await author.goto(`${origin}/wp-admin/post-new.php`);
      await author.waitForFunction("window.wp?.blocks?.getBlockType('sign-elements/signer')");
      const link = await author.evaluate(async () => {
        const { blocks, data } = (
          window as unknown as {
            wp: {
              blocks: { createBlock(name: string, attributes: object): object };
              data: {
                dispatch(store: string): Record<string, (...given: unknown[]) => Promise<void>>;
                select(store: string): Record<string, () => string>;
              };
            };
          }
        ).wp;
        const text = blocks.createBlock('core/paragraph', { content: 'Snow falls.' });
        const signer = blocks.createBlock('sign-elements/signer', { placement: 'inline' });
        await data.dispatch('core/block-editor').resetBlocks!([text, signer]);
        await data.dispatch('core/editor').editPost!({ title: 'By block', status: 'publish' });
        await data.dispatch('core/editor').savePost!();
        return data.select('core/editor').getPermalink!();
      });
      await visitor.goto(link);
      await visitor.waitForSelector('sign-translate:defined');
      const given = await visitor.$eval('sign-translate', (element) => [element.for, element.placement]);
      assert.match(given[0]!, /^sign-post-\d+$/);
      assert.equal(given[1], 'inline');
    },
  ],
];

let failed = 0;
try {
  await started();
  for (const [title, run] of tests) {
    const start = Date.now();
    const problem = await run().then(
      () => null,
      (error: Error) => error.stack ?? String(error),
    );
    if (problem !== null) failed += 1;
    console.log(`${problem === null ? '✔' : '✖'} ${title} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    if (problem !== null) console.log(problem);
  }
} finally {
  await end();
}
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

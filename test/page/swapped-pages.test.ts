// A signer that a page places by `data-` attributes, where a library shows the next page without loading it: Turbo replaces the
// body and keeps a copy of the old one, or changes it to the HTML of the server, htmx replaces the children of the body. Neither
// evaluates a module again.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;
const src = `${proxy}/elements.js`;

const NEWS = '<p id="news">Snow.</p>';
const SCRIPT = `<script type="module" src="${src}" data-for="news" data-idle-after="none"></script>`;
const PLACE = '<div data-sign-translate data-for="news" data-idle-after="none"></div>';

/** The places of the signers in the body, as soon as there are `count` signers. */
const signers = (count: number): string[] | null => {
  const found = [...document.querySelectorAll('sign-translate')];
  return found.length === count ? found.map(({ parentElement }) => parentElement!.localName) : null;
};

async function opened(html: string): Promise<Awaited<ReturnType<typeof site.open>>> {
  const opened = await site.open(html);
  await opened.page.waitForFunction(signers, {}, 1);
  return opened;
}

for (const [what, html, parent] of [
  ['by the script', NEWS + SCRIPT, 'body'],
  ['by a place', NEWS + PLACE + `<script type="module" src="${src}"></script>`, 'div'],
] as const) {
  test(`after the body is replaced there is one signer, ${what}, and the copy of the first body has only one, too`, async () => {
    const { page, problems } = await opened(html);
    const next = await page.evaluate(() => {
      const copy = document.body.cloneNode(true);
      const other = document.body.cloneNode(true) as HTMLElement;
      for (const signer of other.querySelectorAll('sign-translate')) signer.remove();
      document.documentElement.replaceChild(other, document.body);
      Object.assign(window, { copy });
      return document.querySelectorAll('sign-translate').length;
    });
    assert.equal(next, 0);
    const there = await page.waitForFunction(signers, {}, 1);
    assert.deepEqual(await there.jsonValue(), [parent]);
    const back = await page.evaluate(async () => {
      const { copy } = window as unknown as { copy: Node };
      document.documentElement.replaceChild(copy, document.body);
      await new Promise(requestAnimationFrame);
      return document.querySelectorAll('sign-translate').length;
    });
    assert.equal(back, 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test(`after the children of the body are replaced there is one signer, ${what}`, async () => {
    const { page, problems } = await opened(html);
    await page.evaluate(() => {
      const next = document.createElement('template');
      next.innerHTML = document.body.innerHTML;
      for (const signer of next.content.querySelectorAll('sign-translate')) signer.remove();
      document.body.replaceChildren(next.content);
    });
    const there = await page.waitForFunction(signers, {}, 1);
    assert.deepEqual(await there.jsonValue(), [parent]);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('the signers of two scripts in the head are on the next page too', async () => {
  const { page, problems } = await opened(NEWS + PLACE + `<script type="module" src="${src}"></script>`);
  await page.evaluate(() => {
    for (const part of ['news', 'more']) {
      const script = document.createElement('script');
      Object.assign(script.dataset, { elements: '', for: part, idleAfter: 'none' });
      document.head.append(script);
    }
    document.body.append(document.createElement('hr'));
  });
  const there = await page.waitForFunction(signers, {}, 3);
  assert.deepEqual(await there.jsonValue(), ['div', 'body', 'body']);
  await page.evaluate(() => {
    const other = document.createElement('body');
    other.innerHTML = '<p id="news">Rain.</p>';
    document.body.replaceWith(other);
  });
  const next = await page.waitForFunction(signers, {}, 2);
  assert.deepEqual(await next.jsonValue(), ['body', 'body']);
  assert.deepEqual(problems, []);
  await page.close();
});

test('a signer that the page removes stays away, whatever the page adds later', async () => {
  const { page } = await opened(NEWS + SCRIPT);
  const count = await page.evaluate(async () => {
    document.querySelector('sign-translate')!.remove();
    // A library changes the title together with the body.
    document.head.replaceChildren(document.createElement('title'));
    await new Promise(requestAnimationFrame);
    document.body.append(document.createElement('hr'));
    await new Promise(requestAnimationFrame);
    return document.querySelectorAll('sign-translate').length;
  });
  assert.equal(count, 0);
  await page.close();
});

test('when a library replaces a page that has no places for signers by one that has, each place gets its signer', async () => {
  for (const swap of ['body', 'content'] as const) {
    const { page, problems } = await site.open(`<p>Start.</p><script type="module" src="${src}"></script>`);
    await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
    await page.evaluate(
      (html, isBody) => {
        const other = document.createElement('body');
        other.innerHTML = html;
        if (isBody) document.body.replaceWith(other);
        else document.body.replaceChildren(...other.children);
      },
      NEWS + PLACE,
      swap === 'body',
    );
    const there = await page.waitForFunction(signers, {}, 1);
    assert.deepEqual(await there.jsonValue(), ['div'], swap);
    assert.deepEqual(problems, []);
    await page.close();
  }
});

const TAG = '<sign-translate data-for="news" data-idle-after="none"></sign-translate>';
for (const [what, html] of Object.entries({ script: NEWS + SCRIPT, place: NEWS + PLACE, tag: NEWS + TAG })) {
  test(`the signer of a ${what} goes on signing when Turbo 8 morphs the page to the HTML that the server sent`, async () => {
    const { page, problems } = await site.open(`${html}<script type="module" src="${src}"></script>`);
    await page.waitForSelector('sign-translate[for=news]:defined');
    const signed = await page.evaluate(async (body) => {
      const signer = document.querySelector('sign-translate')!;
      const signing = signer.sign('Hello');
      const sent = new DOMParser().parseFromString(body, 'text/html').body;
      // As its morphing does: what the server did not send goes, unless it is marked as permanent.
      const turbo = {
        morph(now: Element, next: Element): void {
          if (now.matches('[data-turbo-permanent]')) return;
          for (const name of now.getAttributeNames()) if (!next.hasAttribute(name)) now.removeAttribute(name);
          for (const [index, child] of [...now.children].entries()) {
            const other = next.children[index];
            if (other) this.morph(child, other);
            else if (!child.matches('[data-turbo-permanent]')) child.remove();
          }
        },
      };
      turbo.morph(document.body, sent);
      return [(await signing).text, signer.isConnected, signer.for];
    }, html);
    assert.deepEqual(signed, ['Hello', true, 'news']);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

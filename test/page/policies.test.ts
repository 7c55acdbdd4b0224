// Pages whose policy lacks something that docs/security-policy.md asks for: an element says so, and does not wait for ever.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'puppeteer-core';
import { ofLanguage } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy, media } = site.backend.addresses;

/** An addition to the policy of all pages of the site. */
const noBlobs = `<meta http-equiv="Content-Security-Policy" content="media-src ${media}">`;
const script = `<script type="module" src="${proxy}/elements.js"></script>`;

type Format = 'hls' | 'dash';

/** The manifest of a text that is signed as a stream, for a page that has its elements. */
function openStream(page: Page, format: Format): Promise<string> {
  return page.evaluate(
    async (prefix, name) => {
      const request = {
        content: { type: 'text', data: 'Good morning' },
        output: { format: 'hls', delivery: { method: 'stream' } },
        context: { application: 'test' },
      };
      const answer = await fetch(`${prefix}/v2/generate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      const { manifests } = (await answer.json()) as { manifests: Record<Format, string> };
      await customElements.whenDefined('sign-live-player');
      return manifests[name];
    },
    proxy,
    format,
  );
}

for (const format of ['hls', 'dash'] as const) {
  test(`a live player of ${format} plays under a strict policy, and nothing is on the console`, async () => {
    const { page, said } = await site.open(`${script}<sign-live-player></sign-live-player>`);
    await page.evaluate(
      (src) => {
        const player = document.querySelector('sign-live-player')!;
        const playing = new Promise((resolve) => {
          player.addEventListener('playing', resolve, { once: true });
        });
        player.src = src;
        return playing.then(() => {});
      },
      await openStream(page, format),
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  test(`when the policy lacks "media-src blob:", a live player of ${format} fails with media_error`, async () => {
    const { page } = await site.open(`${noBlobs}${script}<sign-live-player></sign-live-player>`);
    const message = await page.evaluate(
      (src) => {
        const player = document.querySelector('sign-live-player')!;
        const error = new Promise<string>((resolve) => {
          player.addEventListener('sign-error', ({ detail }) =>
            resolve(`${detail.error.code}: ${detail.error.message}`),
          );
        });
        player.src = src;
        return error;
      },
      await openStream(page, format),
    );
    assert.equal(message, 'media_error: the policy of the page has no media-src blob:');
    await page.close();
  });
}

test('when the policy lacks "media-src blob:", a text rejects with media_error', async () => {
  const { page } = await site.open(`${noBlobs}${script}<sign-translate></sign-translate>`);
  const code = await page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    const outcome = document.querySelector('sign-translate')!.sign('Good morning');
    return outcome.catch(({ code }: { code: string }) => code);
  });
  assert.equal(code, 'media_error');
  await page.close();
});

test('when the policy lacks "connect-src wss:", a text over V3 fails at once with that reason, and by default it goes over REST', async () => {
  const { origin } = new URL(proxy);
  const httpOnly = `<meta http-equiv="Content-Security-Policy" content="connect-src ${origin} ${media}">`;
  const { page } = await site.open(`${httpOnly}${script}<sign-translate></sign-translate>`);
  const [v3, auto] = await page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    const element = document.querySelector('sign-translate')!;
    element.resolution = '480p';
    element.transport = 'v3';
    const message = await element.sign('Hello').catch(({ message }: Error) => message);
    element.transport = 'auto';
    return [message, (await element.sign('Hello')).text];
  });
  assert.equal(v3, `the policy of the page has no connect-src ${origin.replace(/^http/, 'ws')}`);
  assert.equal(auto, 'Hello');
  await page.close();
});

test('where another server answers in place of a proxy, the first text fails at once with that reason', async () => {
  const { page } = await site.open(`${script}<sign-translate></sign-translate>`);
  const warnings: string[] = [];
  page.on('console', (message) => warnings.push(message.text()));
  const rejections = await page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    const element = document.querySelector('sign-translate')!;
    element.proxy = '/shop';
    const messages: unknown[] = [];
    for (const transport of ['auto', 'rest'] as const) {
      element.transport = transport;
      messages.push(
        await element.sign('Hello').catch(({ code, message }: Error & { code: string }) => [code, message]),
      );
    }
    return messages;
  });
  const message = `no sign proxy at ${site.origin}/shop: something else answers there, with 404`;
  assert.deepEqual(
    rejections,
    [1, 2].map(() => ['proxy_unreachable', message]),
  );
  assert.equal(warnings.filter((text) => text.includes(message)).length >= 1, true);
  await page.close();
});

/** The policies of the documentation, with the addresses of this test. */
const documented = ofLanguage('csp').map(({ code }) =>
  code
    .replaceAll('https://signs.example.org', new URL(proxy).origin)
    .replaceAll('wss://signs.example.org', new URL(proxy).origin.replace(/^http/, 'ws'))
    .replaceAll('https://media.example.net', media)
    .replaceAll('\n', ' '),
);

/** Signs a text on a page with this policy. Resolves with the signed text and the messages of the console. */
async function signUnder(policy: string): Promise<{ text: string; problems: readonly string[] }> {
  const { page, problems } = await site.open(
    `<meta http-equiv="Content-Security-Policy" content="${policy}">
     <script type="module" nonce="R4nd0m" src="${proxy}/elements.js"></script>
     <sign-translate resolution="480p"></sign-translate>`,
  );
  const text = await page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    return (await document.querySelector('sign-translate')!.sign('Hello')).text;
  });
  await page.close();
  return { text, problems };
}

for (const [index, policy] of documented.entries()) {
  test(`under policy ${index + 1} of docs/security-policy.md a text is signed`, async () => {
    assert.deepEqual(await signUnder(policy), { text: 'Hello', problems: [] });
  });
}

test('beside another copy of Lit, whose policy is listed too, both work under Trusted Types', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { html, render } from 'lit'; render(html\`<b>Another Lit</b>\`, document.querySelector('main'));`,
      resolveDir: '.',
    },
    ...{ bundle: true, format: 'esm', write: false, logLevel: 'error' },
  });
  site.scripts.set('/other.js', outputFiles[0]!.text);
  const text = readFileSync('docs/security-policy.md', 'utf8');
  const [, list] = /another copy of Lit[^]*?`(trusted-types [^`]+)`/.exec(text)!;
  assert.ok(!list!.includes('allow-duplicates'), list);
  const policy = documented
    .find((one) => one.includes('trusted-types'))!
    .replace('trusted-types sign-elements', list!);
  const { page, problems } = await site.open(
    `<meta http-equiv="Content-Security-Policy" content="${policy}">
     <main></main><script type="module" nonce="R4nd0m" src="/other.js"></script>
     <script type="module" nonce="R4nd0m" src="${proxy}/elements.js"></script>
     <sign-translate resolution="480p"></sign-translate>`,
  );
  const shown = await page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    const { text } = await document.querySelector('sign-translate')!.sign('Hello');
    return [text, document.querySelector('main')!.textContent];
  });
  assert.deepEqual([shown, problems], [['Hello', 'Another Lit'], []]);
  await page.close();
});

test('on a page that lists only the policy of Lit a text is signed, and the console names the policy that is not listed', async () => {
  const policy = documented
    .find((one) => one.includes('trusted-types'))!
    .replace('trusted-types sign-elements', 'trusted-types lit-html');
  const { text, problems } = await signUnder(policy);
  assert.equal(text, 'Hello');
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /'sign-elements'/);
});

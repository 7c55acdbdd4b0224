// `<sign-translate ticket>` in a real browser, in front of a built proxy that requires tickets.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createSignProxy, readConfig, signTicket } from '../../proxy/index.ts';
import { proxyVariables } from '../backend/proxy-variables.mjs';
import { openSite } from './site.ts';

const KEY = 'key-of-the-tickets-of-this-site';
const site = await openSite();
const proxy = createSignProxy(
  readConfig({
    ...proxyVariables(site.backend.sandbox.addresses),
    SIGN_ALLOWED_ORIGINS: site.origin,
    SIGN_TICKETS: 'required',
    SIGN_TICKET_KEY: KEY,
  }),
);
const address = `${await proxy.listen()}/sign`;
after(async () => {
  await site.close();
  await proxy.close();
});

const good = signTicket({ key: KEY });
const bad = signTicket({ key: 'another-key-of-another-site' });

// One page, which is loaded again for each call, because opening a page takes longer than signing.
const { page } = await site.open('<script type="module" src="/dist/cdn/sign-elements.js"></script>');
// The policy of the site names another proxy.
await page.setBypassCSP(true);
await page.setRequestInterception(true);
let asked = 0;
let answers: (string | number)[] = [];
page.on('request', (request) => {
  if (!request.url().endsWith('/ticket')) return void request.continue();
  asked += 1;
  const answer = answers.shift() ?? good;
  void request.respond(
    typeof answer === 'number' ? { status: answer } : { body: `${answer}\n`, contentType: 'text/plain' },
  );
});

/**
 * Signs texts.
 * @param tickets the answers of `/ticket`, one after the other: a ticket, or the status of a refusal
 * @returns `asked`: requests to `/ticket`; `sessions`: sessions of V3
 */
async function sign(
  attributes: Record<string, string>,
  tickets: (string | number)[] = [],
  texts = ['Good morning'],
): Promise<{ outcome: string; asked: number; sessions: number }> {
  await page.reload();
  [asked, answers] = [0, tickets];
  const { outcome, sessions } = await page.evaluate(
    async (named, prefix, each) => {
      await customElements.whenDefined('sign-translate');
      const element = document.createElement('sign-translate');
      const all = { proxy: prefix, resolution: '480p', 'idle-after': 'none', ...named };
      for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
      document.body.append(element);
      let ready = 0;
      element.addEventListener('sign-ready', () => (ready += 1));
      const outcomes = each.map((text) =>
        element.sign(text).then(
          () => text,
          (error: { code: string }) => error.code,
        ),
      );
      return { outcome: (await Promise.all(outcomes)).join(', '), sessions: ready };
    },
    attributes,
    address,
    texts,
  );
  return { outcome, asked, sessions };
}

for (const transport of ['v3', 'rest']) {
  test(`by ${transport}, a text is signed with a ticket of the attribute or of an address, and not without one`, async () => {
    assert.equal((await sign({ transport })).outcome, 'ticket_refused');
    assert.equal((await sign({ transport, ticket: good })).outcome, 'Good morning');
    const { outcome, asked } = await sign({ transport, ticket: '/ticket' });
    assert.deepEqual([outcome, asked], ['Good morning', 1]);
  });

  test(`by ${transport}, no text is lost while the ticket address fails, and a text ends when the address refuses`, async () => {
    const { outcome, asked } = await sign({ transport, ticket: '/ticket' }, [503, 503, 503, 503, 503]);
    assert.deepEqual([outcome, asked], ['Good morning', 6]);
    assert.equal((await sign({ transport, ticket: '/ticket' }, [403])).outcome, 'ticket_refused');
  });
}

test('a ticket that the proxy refuses is renewed once, and the text is signed', async () => {
  const { outcome, asked } = await sign({ transport: 'rest', ticket: '/ticket' }, [bad]);
  assert.deepEqual([outcome, asked], ['Good morning', 2]);
  const v3 = await sign({ transport: 'v3', ticket: '/ticket' }, [bad]);
  assert.deepEqual([v3.outcome, v3.asked], ['Good morning', 2]);
  const refused = await sign({ transport: 'rest', ticket: '/ticket' }, [bad, bad]);
  assert.deepEqual([refused.outcome, refused.asked], ['ticket_refused', 2]);
});

test('an old ticket does not change the transport: with transport="auto" the text is signed in a session', async () => {
  const { outcome, asked, sessions } = await sign({ transport: 'auto', ticket: '/ticket' }, [bad]);
  assert.deepEqual([outcome, asked, sessions], ['Good morning', 2, 1]);
});

test('texts that are refused with the same old ticket request one new ticket together', async () => {
  const texts = ['Good morning', 'Hello', 'Goodbye'];
  const { outcome, asked } = await sign({ transport: 'rest', ticket: '/ticket' }, [bad], texts);
  assert.deepEqual([outcome, asked], [texts.join(', '), 2]);
});

test('no ticket is requested from another origin', async () => {
  const ticket = `${new URL(address).origin}/ticket`;
  const { outcome, asked } = await sign({ transport: 'v3', ticket });
  assert.deepEqual([outcome, asked], ['ticket_refused', 0]);
});

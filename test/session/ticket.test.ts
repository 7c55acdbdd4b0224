// A session with a ticket where the page can open no socket, in a written frame, and where the attribute is no address.
import assert from 'node:assert/strict';
import test from 'node:test';
import { withTicket } from '../../src/session/ticket.ts';
import { promisesSettled } from '../promises-settled.ts';
import { replaceGlobals } from '../replace-globals.ts';
import { AutoHarness } from './auto/auto-harness.ts';
import { reasonOf } from './harness.ts';

test('with a ticket, a page that may open no socket has its text signed by REST', async (t) => {
  replaceGlobals(t, {
    WebSocket: class {
      constructor() {
        throw new DOMException('The policy of the page forbids it', 'SecurityError');
      }
    },
  });
  const { webSocket } = withTicket('key.payload.mac');
  const harness = new AutoHarness({ webSocket });
  const { result } = harness.session.sign('Hello.');
  await promisesSettled();
  await harness.clock.advance(10_000);
  await harness.until('it goes by REST', () => harness.byRest.length > 0);
  await harness.proxy.last.video();
  assert.equal(await reasonOf(result), 'resolved');
});

test('a ticket’s address is one of the page’s origin, in a written frame too; with another the proxy is asked nothing, which is final', async (t) => {
  const asked: string[] = [];
  replaceGlobals(t, {
    document: { baseURI: 'https://page.example/a/' },
    origin: 'https://page.example',
    // As in a frame whose document the page has written into `srcdoc`.
    location: { origin: 'null' },
    fetch: (address: string) => {
      asked.push(address);
      return Promise.resolve(new Response('key.payload.mac'));
    },
  });
  const generate = async (ticket: string): Promise<unknown> => {
    const init = { method: 'POST', body: '{}' };
    const answer = await withTicket(ticket).fetch('https://page.example/sign/v2/generate', init);
    return answer.status;
  };
  assert.deepEqual(
    [await generate('http://'), await generate('https://page.example.org/'), asked],
    [401, 401, []],
  );
  assert.equal(await generate('../ticket'), 200);
  assert.equal(asked[0], 'https://page.example/ticket');
});

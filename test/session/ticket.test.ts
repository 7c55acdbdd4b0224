// What a session with a ticket does where the page can open no socket.
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

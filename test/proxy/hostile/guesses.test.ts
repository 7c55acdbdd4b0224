// Clients that guess a secret in a header that goes to the service: when the service repeats the guess, they learn nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openClient } from '../client-socket.ts';
import { hostileHarness } from './harness.ts';

/** Both fit into a `traceparent`. */
const SECRET = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'].join('');
const WRONG = [...SECRET].toReversed().join('');

const headerWith: Readonly<Record<string, (guess: string) => string>> = {
  'x-request-id': (guess) => guess,
  accept: (guess) => `application/${guess}`,
  traceparent: (guess) => `00-${guess}-00f067aa0ba902b7-01`,
};

/** A secret that the program never sends. */
const harness = hostileHarness({ SIGN_TICKET_KEY: SECRET });

for (const [name, valueOf] of Object.entries(headerWith)) {
  test(`a guess in ${name} of a request comes back unchanged, whether it is right or wrong`, async () => {
    harness.upstream.answer = (response, { request }) => void response.end(String(request.headers[name]));
    for (const guess of [SECRET, WRONG]) {
      const headers = { [name]: valueOf(guess) };
      const response = await fetch(`${harness.url.origin}/sign/v1/status/job`, { headers });
      assert.equal(await response.text(), valueOf(guess));
    }
  });
}

for (const name of ['x-request-id', 'traceparent']) {
  test(`a guess in ${name} of an upgrade comes back unchanged, whether it is right or wrong`, async () => {
    for (const guess of [SECRET, WRONG]) {
      const sent = headerWith[name]?.(guess) ?? '';
      const client = await openClient(`ws://${harness.url.host}/sign/ws/`, { [name]: sent });
      const session = await harness.upstream.sessions.next();
      session.socket.send(String(session.request.headers[name]));
      assert.equal(await client.frames.next(), sent);
      client.socket.terminate();
      await session.closed;
    }
  });
}

// A page of the proxy's own origin whose upgrade is refused because a server in front changes `Host`.
// - A browser gives an upgrade and a POST an Origin, and a GET of the own origin none. So of GET and POST only the POST is
//   refused.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Harness } from './harness.ts';
import { promisesSettled } from '../promises-settled.ts';

const problem = (status: number, code: string): Response =>
  new Response(JSON.stringify({ code, status }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });

/**
 * The session of a page whose upgrade was refused, after its HTTP requests. The answer to the GET says that an upgrade would work.
 */
async function refused(answerToPost: () => Response): Promise<Harness> {
  const harness = new Harness({
    fetch: async (_address, { method }) =>
      method === 'POST' ? answerToPost() : problem(426, 'upgrade_required'),
  });
  harness.session.connect().catch(() => {});
  harness.socket.refuse();
  for (let turn = 0; turn < 5; turn += 1) await promisesSettled();
  return harness;
}

test('the error is the refusal of the page’s POST, and it is final', async () => {
  const harness = await refused(() => problem(403, 'origin_refused'));
  assert.equal(harness.errors[0]?.code, 'origin_refused');
  assert.equal(harness.session.state, 'failed');
  harness.assertNothingLeft();
});

const others: [what: string, answer: () => Response][] = [
  ['405', () => problem(405, 'method_not_allowed')],
  ['the page of a gateway that takes no POST', () => new Response('<h1>403</h1>', { status: 403 })],
  [
    'nothing',
    () => {
      throw new TypeError('Failed to fetch');
    },
  ],
];

for (const [what, answer] of others) {
  test(`when the page’s POST is answered with ${what}, the session is tried again`, async () => {
    const harness = await refused(answer);
    assert.equal(harness.errors[0]?.code, 'session_failed');
    assert.equal(harness.session.state, 'reconnecting');
    void harness.session.end();
    harness.assertNothingLeft();
  });
}

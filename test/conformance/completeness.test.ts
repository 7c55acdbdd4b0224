// The suite itself: every sentence has a test, every test names existing sentences, and the address of the service is read
// from the environment (service.ts).
import assert from 'node:assert/strict';
import test from 'node:test';
import { casesOf, documents } from './cases.ts';
import { whyNot } from './hold.ts';
import { sentences } from './sentences/index.ts';
import { elsewhere } from './service.ts';
import { heldBy, tableOf } from './table.ts';

const cases = documents.flatMap((document) => casesOf[document]);

test('every sentence is shown by a test', () => {
  const shown = new Set(cases.flatMap(({ shows }) => shows));
  assert.deepEqual(
    sentences.filter(({ id }) => !shown.has(id)).map(({ id }) => id),
    [],
  );
});

test('every test names existing sentences of its own document', () => {
  for (const document of documents) {
    const known = new Set(sentences.filter((one) => one.document === document).map(({ id }) => id));
    for (const { name, shows } of casesOf[document]) {
      assert.ok(shows.length > 0, name);
      assert.deepEqual(
        shows.filter((id) => !known.has(id)),
        [],
        name,
      );
    }
  }
});

test('no two sentences have one id, and no two tests one name', () => {
  const ids = sentences.map(({ id }) => id);
  const names = cases.map(({ name }) => name);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});

test('an id begins with the number of its document', () => {
  for (const { document, id } of sentences) assert.ok(id.startsWith(`${document}.`), id);
});

test('with an empty environment every case runs, against the sandbox', () => {
  assert.equal(elsewhere({}), null);
  assert.equal(elsewhere({ CONFORMANCE_PAID: '1' }), null);
  for (const document of documents) {
    for (const one of casesOf[document]) assert.equal(whyNot(one, document, null), null);
  }
});

const translation = { CONFORMANCE_API_URL: 'https://api.example/', CONFORMANCE_API_KEY: 'key' };

test('against another service, cases that cost money run on request only, and cases that need a sandbox never', () => {
  const place = elsewhere(translation)!;
  assert.equal(whyNot({ needs: 'nothing' }, 2, place), null);
  assert.match(whyNot({ needs: 'payment' }, 2, place)!, /CONFORMANCE_PAID=1/);
  assert.match(whyNot({ needs: 'sandbox' }, 2, place)!, /sandbox/);
  const paying = elsewhere({ ...translation, CONFORMANCE_PAID: '1' })!;
  assert.equal(whyNot({ needs: 'payment' }, 2, paying), null);
  assert.match(whyNot({ needs: 'sandbox' }, 2, paying)!, /sandbox/);
});

test('the address of the socket follows the address of the API, unless it is set', () => {
  assert.equal(elsewhere(translation)!.addresses.wsUrl, 'wss://api.example');
  const given = { ...translation, CONFORMANCE_WS_URL: 'wss://ws.example' };
  assert.equal(elsewhere(given)!.addresses.wsUrl, 'wss://ws.example');
});

test('a document without an address is not run', () => {
  assert.match(whyNot({ needs: 'nothing' }, 1, elsewhere(translation))!, /no address/);
});

test('an incomplete address is refused with the missing variables', () => {
  assert.throws(() => elsewhere({ CONFORMANCE_AUTH_URL: 'https://auth.example' }), {
    message: 'not set: CONFORMANCE_TRANSPORT_URL, CONFORMANCE_CLIENT_ID, CONFORMANCE_CLIENT_SECRET',
  });
  assert.throws(() => elsewhere({ CONFORMANCE_API_URL: 'https://api.example' }), /CONFORMANCE_API_KEY/);
});

test('a sentence fails when any of its tests fails, and passes only when at least one of them ran', () => {
  const one = { name: 'one' };
  const other = { name: 'other' };
  const passed = { is: 'passed' } as const;
  const failed = { is: 'failed' } as const;
  const notRun = { is: 'not run', why: 'it costs money' } as const;
  const held = (...verdicts: readonly (typeof passed | typeof failed | typeof notRun)[]) =>
    heldBy([one, other], new Map(verdicts.map((verdict, at) => [[one, other][at]!.name, verdict])));
  assert.equal(held(passed, passed), 'holds');
  assert.equal(held(passed, notRun), 'holds');
  assert.equal(held(passed, failed), 'FAILS');
  assert.equal(held(notRun, failed), 'FAILS');
  assert.equal(held(notRun, notRun), 'not run');
  assert.equal(held(), 'not run');
});

test('the table has every sentence of a document with its tests under it', () => {
  for (const document of documents) {
    const table = tableOf(document, sentences, casesOf[document], new Map());
    for (const { id, says } of sentences.filter((one) => one.document === document)) {
      assert.ok(table.includes(id) && table.includes(says), id);
    }
    for (const { name } of casesOf[document]) assert.ok(table.includes(name), name);
  }
});

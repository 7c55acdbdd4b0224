// The background of an announcement: whose it is to make.
import assert from 'node:assert/strict';
import test from 'node:test';
import { requestFor } from '../../../src/elements/announcement-request-pool.ts';

const fields = { destination: 'EDB' };

test('a colour is the service’s to make, as three numbers', async () => {
  assert.deepEqual(await requestFor(fields, '#336699'), {
    body: { destination: 'EDB', bgColour: '51,102,153' },
    paintsBackground: true,
  });
});

test('none is asked for where none was wished for', async () => {
  assert.deepEqual(await requestFor(fields, null), { body: fields, paintsBackground: false });
});

test('bgColour wins over the background', async () => {
  const given = { ...fields, bgColour: '0,0,0' };
  assert.deepEqual(await requestFor(given, '#336699'), { body: given, paintsBackground: false });
  const transparent = { ...fields, bgColour: '-1,-1,-1' };
  assert.deepEqual(await requestFor(transparent, '#336699'), { body: transparent, paintsBackground: true });
});

test('a wrong field is refused before anything else', async () => {
  await assert.rejects(requestFor({ destination: '' }, 'transparent'), { code: 'invalid_request' });
});

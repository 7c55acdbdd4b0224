// The background of an announcement: whose it is to make.
import assert from 'node:assert/strict';
import test from 'node:test';
import { orderOf } from '../../../src/elements/announcement/announcement-order.ts';

const fields = { destination: 'EDB' };

test('a colour is the service’s to make, as three numbers', async () => {
  assert.deepEqual(await orderOf(fields, '#336699'), {
    body: { destination: 'EDB', bgColour: '51,102,153' },
    served: true,
  });
});

test('none is asked for where none was wished for', async () => {
  assert.deepEqual(await orderOf(fields, null), { body: fields, served: false });
});

test('bgColour wins over the background', async () => {
  const given = { ...fields, bgColour: '0,0,0' };
  assert.deepEqual(await orderOf(given, '#336699'), { body: given, served: false });
  const transparent = { ...fields, bgColour: '-1,-1,-1' };
  assert.deepEqual(await orderOf(transparent, '#336699'), { body: transparent, served: true });
});

test('a wrong field is refused before anything else', async () => {
  await assert.rejects(orderOf({ destination: '' }, 'transparent'), { code: 'invalid_request' });
});

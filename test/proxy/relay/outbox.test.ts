// How frames are written: together, in order, and as RFC 6455 wants them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SendQueue } from '../../../proxy/relay/send-queue.ts';
import { FakeSocket, turn } from '../fake-socket.ts';
import { BINARY, TEXT } from '../raw-frames.ts';

const KB = 1024;

function boxed(side: 'page' | 'service') {
  const socket = new FakeSocket('open');
  const { connection } = socket;
  return { socket, connection, outbox: new SendQueue(socket.asWebSocket, connection, side === 'service') };
}

test('what is sent in one turn leaves in one write, in order, when the turn is over', async () => {
  const { connection, outbox } = boxed('page');
  for (const text of ['a', '', 'ccc']) outbox.send(Buffer.from(text), false);
  assert.deepEqual(connection.writes, []);
  assert.equal(outbox.bufferedAmount, 3 * 2 + 4);
  await turn();
  assert.equal(connection.writes.length, 1);
  assert.deepEqual(
    connection.frames.map(({ opcode, isMasked, payload }) => [opcode, isMasked, payload.toString()]),
    [
      [TEXT, false, 'a'],
      [TEXT, false, ''],
      [TEXT, false, 'ccc'],
    ],
  );
});

for (const side of ['page', 'service'] as const) {
  test(`a frame of any length reaches the ${side} as it is`, async () => {
    for (const length of [0, 1, 3, 125, 126, 65_535, 65_536, 1024 * KB]) {
      const { connection, outbox } = boxed(side);
      const data = Buffer.alloc(length, 'sign');
      const before = Buffer.from(data);
      outbox.send(data, false);
      await turn();
      connection.drain();
      assert.equal(connection.frames.length, 1, `${length} bytes`);
      assert.ok(connection.frames[0]?.payload.equals(before), `${length} bytes arrive`);
      assert.equal(connection.frames[0]?.isMasked, side === 'service');
      assert.ok(data.equals(before), 'the data of the sender is not touched');
    }
  });
}

test('towards the service each frame has a mask of its own', async () => {
  const { connection, outbox } = boxed('service');
  const FRAMES = 5_000;
  for (let count = 0; count < FRAMES; count += 1) outbox.send(Buffer.alloc(4), false);
  await turn();
  connection.drain();
  const bytes = Buffer.concat(connection.writes);
  const masks = Array.from({ length: FRAMES }, (_, index) => bytes.readUInt32BE(index * 10 + 2));
  assert.equal(masks.length, connection.frames.length);
  // Of five thousand random numbers of 32 bits, a pair that is alike has one chance in 340.
  assert.ok(new Set(masks).size > FRAMES - 5, 'masks repeat');
});

test('a big frame towards a page is written as it lies there, without a copy', () => {
  const { connection, outbox } = boxed('page');
  const data = Buffer.alloc(16 * KB, 'a');
  outbox.send(data, false);
  connection.drain();
  assert.ok(connection.writes.includes(data), 'the buffer itself is written');
});

test('a batch of 16 kB does not wait for the end of the turn', () => {
  const { connection, outbox } = boxed('service');
  for (let count = 0; count < 16; count += 1) outbox.send(Buffer.alloc(KB), false);
  assert.equal(connection.writes.length, 1);
});

test('text and binary keep their kinds and their order', async () => {
  const { connection, outbox } = boxed('page');
  outbox.send(Buffer.from('a'), false);
  outbox.send(Buffer.from('b'), true);
  outbox.send(Buffer.from('c'), false);
  await turn();
  connection.drain();
  assert.deepEqual(
    connection.frames.map(({ opcode, payload }) => [opcode, payload.toString()]),
    [
      [TEXT, 'a'],
      [BINARY, 'b'],
      [TEXT, 'c'],
    ],
  );
});

test('once the socket is closing nothing more is written', async () => {
  const { socket, connection, outbox } = boxed('page');
  outbox.send(Buffer.from('a'), false);
  socket.close();
  await turn();
  outbox.send(Buffer.from('b'), false);
  outbox.flush();
  assert.deepEqual(connection.writes, []);
  assert.equal(outbox.bufferedAmount, 0);
});

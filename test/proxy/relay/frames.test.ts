// Which frames of a client may pass, and how the relay writes frames to a connection.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, Message, messageOf } from '../../../proxy/relay/message.ts';
import { SendQueue } from '../../../proxy/relay/send-queue.ts';
import { hasLongText, idOf, inspectFrame } from '../../../proxy/relay/session-start.ts';
import { FakeSocket, turn } from '../fake-socket.ts';
import { BINARY, frame, TEXT } from '../raw-frames.ts';

const message = (frame: string): Message => messageOf(Buffer.from(frame));
const judge = (frame: string): string => {
  const came = message(frame);
  const inspected = inspectFrame(came);
  if (inspected.kind === 'refuse') return 'refuse';
  return `${inspected.kind} ${bytesOf(inspected.passed ?? came).toString()}`;
};
const long = 'a'.repeat(200);

for (const frame of [
  '{"type":"text","data":"we say session.start here"}',
  '{"type":"text","data":"\\u00e9"}',
  `{"type":"text","data":"${'\\"'.repeat(30_000)}session.start`,
  '["session.start"]',
  "{'type':'text','data':'a'}",
  '"session.start"',
  '\\u',
  '',
]) {
  test(`${JSON.stringify(frame.slice(0, 60))} passes byte for byte`, () => {
    assert.equal(judge(frame), `other ${frame}`);
  });
}

for (const frame of [
  '{"type":"session.start","version":"3.0"}',
  ' { "type" : "session.start", "version" : "3.0" } ',
  '{"version":"1.0","type":"text","version":"3.0","type":"session.start"}',
  '{"\\u0074ype":"session\\u002estart","version":"3.\\u0030"}',
]) {
  test(`${frame} passes as the session.start that the proxy has parsed`, () => {
    assert.match(judge(frame), /^start /);
    const { type, version, ...rest } = JSON.parse(judge(frame).slice('start '.length)) as Record<
      string,
      unknown
    >;
    assert.deepEqual([type, version, rest], ['session.start', '3.0', {}]);
  });
}

test('a frame that would cost much to parse is refused without parsing it or searching for its id', () => {
  const lists = '[],'.repeat(1_000);
  const start = `{"type":"session.start","version":"3.0","id":"a","x":[${lists}0]}`;
  assert.equal(inspectFrame(message(start)).kind, 'refuse');
  assert.equal(idOf(message(start)), '');
  const nested = `{"id":"a","type":"session.start","x":${'['.repeat(64)}${']'.repeat(64)}}`;
  assert.equal(inspectFrame(message(nested)).kind, 'refuse');
  const text = JSON.stringify({ type: 'text', id: 'a', data: '"[{,'.repeat(5_000) });
  assert.equal(idOf(message(text)), 'a', 'brackets in a text do not count');
  assert.equal(inspectFrame(message(`[${lists}0]`)).kind, 'other', 'what is not parsed passes');
});

test('a frame whose first type is session.start passes without that first type', () => {
  const frame = '{"type":"session.start","version":"1.0","type":"text","id":"1"}';
  assert.equal(judge(frame), 'other {"type":"text","version":"1.0","id":"1"}');
});

for (const frame of [
  '{"type":"session.start","version":"2.0"}',
  '{"type":"session.start","version":3.0}',
  '{"type":"session.start","version":"1.0"',
  '{"type":"session.start","version":"1.0","x":NaN}',
  '{"type":"session.start","version":"2.0","x":-Infinity}',
  '{"type":"session.start","version":"1.0",}',
  '{"type":"session.start","version":"1.0"}{"type":"text"}',
  '{"type":"session.start"}',
  '{"type":"session.start","version":"3.0","Version":"1.0"}',
  '{"type":"session.start","version":"3.0","ver\u017fion":"1.0"}',
  '{"type":"session.start","Version":"3.0"}',
  '{"Type":"session.start","version":"1.0"}',
  '{"type":"text","TYPE":"session.start","version":"1.0"}',
  '{"type":"session.start","version":"3.0","version":"1.0"}',
  '{"type":"Session.Start","version":"3.0"}',
  '{"type\\u0000":"session.start","version":"1.0"}',
  '{"type":"session.start\\u0000a","version":"1.0"}',
  '{"type":"session.start","version":"3.0","version\\u0000a":"1.0"}',
  '{"type":"\\u0053ession.start","version":"1.0"}',
  '{"type":"\\session.st\\art","version":"1.0"}',
  '{"type":"\\x73ession.start","version":"1.0"}',
  "{'type':'session.start','version':'1.0'}",
  '\uFEFF{"type":"session.start","version":"1.0"}',
  `{"${long}":"${long}","type":"session.start","version":"1.0"}`,
  `{"a":"\\"","type":"${[...'session.start'].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`,
  `{"type":"session.start","version":"3.0","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
]) {
  test(`${JSON.stringify(frame.slice(0, 80))} is refused`, () => assert.equal(judge(frame), 'refuse'));
}

for (const [frame, isLong] of [
  ['{"type":"text","data":"1234567890"}', false],
  ['{"type":"text","data":"12345678901"}', true],
  ['{"type":"text","data":"12345678901","data":"short"}', true],
  ['{"type":"text","more":[{"data":"12345678901"}]}', true],
  ['{"data":"ééééé"}', false],
  ['{"data":"éééééa"}', true],
  ['{"data":"\\u00e9\\u07FF\\u00e9\\u00e9\\u00e9"}', false],
  ['{"data":"\\u00e9\\u07ff\\u00e9\\u00e9\\u00e9\\u0041"}', true],
  ['{"data":"\\u20ac\\u0800\\uFFFD\\u007f"}', false],
  ['{"data":"\\u20ac\\u0800\\uFFFD\\u0080"}', true],
  ['{"data":"\\ud83d\\uDE00\\ud83d\\ude00ab"}', false],
  ['{"data":"\\ud83d\\uDE00\\ud83d\\ude00abc"}', true],
  ['{"data":"\\"23456789\\""}', false],
  ['{"data":"\\"\\\\3456789\\"a"}', true],
  [`{"type":"text","data":'12345678901'}`, true],
] as const) {
  test(`${frame} has ${isLong ? 'a' : 'no'} text of more than 10 bytes`, () => {
    assert.equal(hasLongText(message(frame), 10), isLong);
    assert.equal(hasLongText(message(frame), Buffer.byteLength(frame)), false);
  });
}

const KB = 1024;

function boxed(side: 'client' | 'service') {
  const socket = new FakeSocket('open');
  const { connection } = socket;
  return { socket, connection, queue: new SendQueue(socket.asWebSocket, connection, side === 'service') };
}

test('frames that are sent in one turn of the event loop leave in one write, in order, when the turn is over', async () => {
  const { connection, queue } = boxed('client');
  for (const text of ['a', '', 'ccc']) queue.send(message(text));
  assert.deepEqual(connection.writes, []);
  assert.equal(queue.bufferedAmount, 3 * 2 + 4);
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

for (const side of ['client', 'service'] as const) {
  test(`a frame of any length reaches the ${side} as it is`, async () => {
    for (const length of [0, 1, 3, 125, 126, 65_535, 65_536, 1024 * KB]) {
      const { connection, queue } = boxed(side);
      const data = Buffer.alloc(length, 'sign');
      queue.send(messageOf(data));
      await turn();
      connection.drain();
      assert.equal(connection.frames.length, 1, `${length} bytes`);
      assert.ok(connection.frames[0]?.payload.equals(data), `${length} bytes arrive`);
      assert.equal(connection.frames[0]?.isMasked, side === 'service');
    }
  });
}

test('towards the service each frame has a mask of its own', async () => {
  const { connection, queue } = boxed('service');
  const FRAMES = 5_000;
  for (let count = 0; count < FRAMES; count += 1) queue.send(messageOf(Buffer.alloc(4)));
  await turn();
  connection.drain();
  const bytes = Buffer.concat(connection.writes);
  const masks = Array.from({ length: FRAMES }, (_, index) => bytes.readUInt32BE(index * 10 + 2));
  assert.equal(masks.length, connection.frames.length);
  // Among five thousand random numbers of 32 bits, the chance of two equal ones is 1 in 340.
  assert.ok(new Set(masks).size > FRAMES - 5, 'masks repeat');
});

/** The messages of text frames that came in one read, and the bytes of that read. */
function came(masked: boolean, ...texts: string[]): { readonly read: Buffer; readonly messages: Message[] } {
  const frames = texts.map((text) => frame(text, { masked, mask: Buffer.from('mask') }));
  const read = Buffer.alloc(Buffer.concat(frames).length);
  let end = 0;
  const messages = texts.map((text, index) => {
    const from = end;
    end += frames[index]?.copy(read, from) ?? 0;
    const data = Buffer.from(text);
    const start = end - data.length;
    return new Message(data, 0, data.length, true, false, { read, from, start, end });
  });
  return { read, messages };
}

test('the frames of one read leave for a client as they came, without a copy', async () => {
  const { connection, queue } = boxed('client');
  const { read, messages } = came(false, 'a', 'bb', '');
  for (const each of messages) queue.send(each);
  await turn();
  assert.deepEqual(connection.writes, [read]);
  assert.equal(connection.writes[0], read, 'the read itself is written');
});

test('a frame of a client reaches the service as it came, with another mask', async () => {
  const { connection, queue } = boxed('service');
  const texts = ['', 'b', 'The train is late', 'x'.repeat(300)];
  const { read, messages } = came(true, ...texts);
  for (const each of messages) queue.send(each);
  await turn();
  assert.equal(connection.writes[0], read, 'without a copy');
  assert.deepEqual(
    connection.frames.map(({ isMasked, payload }) => [isMasked, payload.toString()]),
    texts.map((text) => [true, text]),
  );
  assert.ok(!read.includes('mask'), 'the client does not choose the bytes on the wire');
});

test('a small frame of a big read is copied, and the bytes between two frames are not sent', async () => {
  const { connection, queue } = boxed('client');
  const { read, messages } = came(false, 'a', 'x'.repeat(100), 'c');
  for (const each of [messages[0], messages[2]]) if (each !== undefined) queue.send(each);
  await turn();
  assert.deepEqual(
    connection.frames.map(({ payload }) => payload.toString()),
    ['a', 'c'],
  );
  assert.ok(
    connection.writes.every(({ buffer }) => buffer !== read.buffer),
    'the read can be forgotten',
  );
});

test('a batch of 16 kB does not wait for the end of the turn', () => {
  const { connection, queue } = boxed('service');
  for (let count = 0; count < 16; count += 1) queue.send(messageOf(Buffer.alloc(KB)));
  assert.equal(connection.writes.length, 1);
});

test('text and binary keep their kinds and their order', async () => {
  const { connection, queue } = boxed('client');
  queue.send(message('a'));
  queue.send(messageOf(Buffer.from('b'), true));
  queue.send(message('c'));
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

test('when the socket is closing nothing more is written', async () => {
  const { socket, connection, queue } = boxed('client');
  queue.send(message('a'));
  socket.close();
  await turn();
  queue.send(message('b'));
  queue.flush();
  assert.deepEqual(connection.writes, []);
  assert.equal(queue.bufferedAmount, 0);
});

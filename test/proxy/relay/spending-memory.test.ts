// The memory in which a session counts what it spends, while the service answers nothing or much.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { messageOf } from '../../../proxy/relay/message.ts';
import { SessionSpending } from '../../../proxy/relay/session-spending.ts';
import { manualClock } from '../manual-clock.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const heapBytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

function session(): { readonly spent: SessionSpending; readonly counted: number[] } {
  const counted: number[] = [];
  const spent = new SessionSpending(manualClock(), {
    add: ({ seconds = 0 }) => void counted.push(seconds),
    expect: () => undefined,
    mustWait: () => false,
    streaming: () => () => 0,
  });
  return { spent, counted };
}

const idOf = (number: number): string => `an-id-of-a-text-${number}`;
const textOf = (number: number): string => {
  const data = String(number).repeat(20_000).slice(0, 19_900);
  return JSON.stringify({ type: 'text', id: idOf(number), data });
};
/** A result with an address as long as a signed one. */
const resultOf = (number: number): Buffer => {
  const url = `https://media.example/${'u'.repeat(900)}`;
  return Buffer.from(JSON.stringify({ type: 'result', ref: idOf(number), url, duration_seconds: 1 }));
};

test('a thousand texts of 20 kB that the service does not answer take less than a megabyte', () => {
  const { spent } = session();
  const before = heapBytes();
  for (let number = 0; number < 1_000; number += 1) spent.send(messageOf(Buffer.from(textOf(number))));
  const grown = heapBytes() - before;
  assert.ok(grown < 1_000_000, `${grown} bytes more`);
  spent.ended(true);
});

for (const [what, id] of [
  ['of 19 kB', (number: number) => String(number).padStart(19_000, 'x')],
  ['that are lists', (number: number) => [number, ...Array.from({ length: 500 }, () => ({}))]],
] as const) {
  test(`a thousand ids ${what} take less than a megabyte, while their texts are under way and afterwards`, () => {
    const { spent, counted } = session();
    const before = heapBytes();
    const send = (number: number, frame: object): Buffer => Buffer.from(JSON.stringify({ ...frame, number }));
    for (let number = 0; number < 1_000; number += 1)
      spent.send(messageOf(send(number, { type: 'text', id: id(number), data: 'Hello.' })));
    const underWay = heapBytes() - before;
    assert.ok(underWay < 1_000_000, `${underWay} bytes more`);
    for (let number = 0; number < 1_000; number += 1)
      spent.received(messageOf(send(number, { type: 'result', ref: id(number), duration_seconds: 1 })));
    const answered = heapBytes() - before;
    assert.ok(answered < 1_000_000, `${answered} bytes more`);
    spent.ended(true);
    assert.equal(counted.filter((seconds) => seconds === 1).length, 1_000);
    assert.ok(counted.every((seconds) => seconds <= 1));
  });
}

test('a repeated result counts once when up to 999 others come between, and of ten thousand ids only the newest are kept', () => {
  const { spent, counted } = session();
  const before = heapBytes();
  for (let number = 0; number < 10_000; number += 1) spent.received(messageOf(resultOf(number)));
  assert.equal(counted.length, 10_000);
  for (const again of [9_999, 9_500, 9_000]) spent.received(messageOf(resultOf(again)));
  assert.equal(counted.length, 10_000);
  const grown = heapBytes() - before;
  assert.ok(grown < 1_000_000, `${grown} bytes more`);
});

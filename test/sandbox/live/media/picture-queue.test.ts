// The queue of decoded pictures of a live source.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureQueue } from '../../../../demo/sandbox/live/media/picture-queue.ts';

/** A queue of pictures that are named by their due time, and those that were freed. */
function queueOf(...dues: readonly number[]) {
  const freed: number[] = [];
  const queue = new PictureQueue<number>((due) => freed.push(due));
  for (const due of dues) queue.add({ seconds: due / 1000, due, bytes: 1, content: due });
  return { queue, freed };
}

test('a picture is shown from its time until the next one’s', () => {
  const { queue, freed } = queueOf(40, 80, 120);
  assert.equal(queue.at(40)?.content, 40);
  assert.equal(queue.at(79)?.content, 40);
  assert.equal(queue.at(80)?.content, 80);
  assert.equal(queue.at(500)?.content, 120);
  assert.equal(queue.at(9000)?.content, 120);
  assert.deepEqual(freed, [40, 80]);
  assert.equal(queue.dropped, 0);
});

test('the first picture is shown before its time, because there is no other', () => {
  const { queue } = queueOf(40);
  assert.equal(queue.at(0)?.content, 40);
  assert.equal(new PictureQueue(() => {}).at(0), null);
});

test('late pictures are dropped up to the newest that is due', () => {
  const { queue, freed } = queueOf(0, 40, 80, 120, 160);
  assert.equal(queue.at(0)?.content, 0);
  assert.equal(queue.at(130)?.content, 120);
  assert.equal(queue.newestDue, 160);
  assert.deepEqual(
    freed.toSorted((a, b) => a - b),
    [0, 40, 80],
  );
  assert.equal(queue.dropped, 2);
});

test('a picture replaces queued ones that are due at its time or later', () => {
  const { queue, freed } = queueOf(0, 500, 540, 580);
  assert.equal(queue.at(0)?.content, 0);
  queue.add({ seconds: 1, due: 540, bytes: 1, content: 1 });
  assert.deepEqual(freed, [580, 540]);
  assert.equal(queue.at(500)?.content, 500);
  assert.equal(queue.at(540)?.content, 1);
});

test('at most ninety pictures wait, and each is freed once', () => {
  const dues = Array.from({ length: 200 }, (_, i) => i);
  const { queue, freed } = queueOf(...dues);
  assert.equal(queue.dropped, 110);
  assert.equal(queue.at(1000)?.content, 199);
  assert.deepEqual(
    freed.toSorted((a, b) => a - b),
    dues.slice(0, -1),
  );
});

test('large pictures wait up to 128 MB together, and the newest in any case', () => {
  const freed: number[] = [];
  const queue = new PictureQueue<number>((due) => freed.push(due));
  const add = (due: number, megabytes: number): void =>
    queue.add({ seconds: due / 1000, due, bytes: megabytes * 1_000_000, content: due });
  for (const due of [0, 40, 80]) add(due, 50);
  assert.deepEqual(freed, [0]);
  assert.equal(queue.at(40)?.content, 40);
  add(120, 78);
  assert.deepEqual(freed, [0]);
  add(160, 1);
  assert.deepEqual(freed, [0, 80]);
  add(200, 500);
  assert.deepEqual(freed, [0, 80, 120, 160]);
  queue.clear();
  add(240, 128);
  assert.equal(queue.at(240)?.content, 240);
});

test('clearing drops the waiting pictures and keeps the shown one', () => {
  const { queue } = queueOf(0, 40, 80);
  assert.equal(queue.at(0)?.content, 0);
  queue.clear();
  assert.equal(queue.newestDue, null);
  assert.equal(queue.at(1000)?.content, 0);
});

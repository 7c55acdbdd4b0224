// What is remembered of frames that were sent.
import assert from 'node:assert/strict';
import test from 'node:test';
import { InFlight } from '../../src/session/in-flight.ts';
import { Piece, type PieceOwner } from '../../src/session/piece.ts';
import { ManualClock } from './manual-clock.ts';

const owner: PieceOwner = {
  ref: 'call',
  fit() {},
  accepted() {},
  answered() {},
  appended() {},
  fail() {},
};
const departure = { arrivedAt: null };
const piece = (id: string) => new Piece(owner, { text: 'Hello.', index: 0, count: 1 }, id);

test('answered frames are remembered up to 256; one that is unanswered is never forgotten', () => {
  const inFlight = new InFlight(new ManualClock(), () => {});
  inFlight.sent(piece('unanswered'), departure);
  for (let count = 0; count < 300; count += 1) {
    inFlight.sent(piece(`answered-${count}`), departure);
    inFlight.answered(inFlight.get(`answered-${count}`) ?? assert.fail('not known'));
  }
  assert.equal(inFlight.unanswered, 1);
  assert.equal(inFlight.isUnanswered('unanswered'), true);
  const known = Array.from({ length: 300 }, (_, count) => inFlight.get(`answered-${count}`)).filter(Boolean);
  assert.ok(known.length <= 256, `${known.length} are remembered`);
  assert.equal(inFlight.get('answered-0'), undefined);
  assert.notEqual(inFlight.get('answered-299'), undefined);
});

test('a session that is gone leaves no timer and knows no frame', () => {
  const clock = new ManualClock();
  const inFlight = new InFlight(clock, () => {});
  for (const id of ['a', 'b', 'c']) inFlight.sent(piece(id), departure);
  inFlight.clear();
  assert.equal(clock.pending, 0);
  assert.equal(inFlight.get('a'), undefined);
});

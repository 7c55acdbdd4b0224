// When a text fails because connections are lost with it, over REST.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ownError } from '../../src/protocol/own-errors.ts';
import { PartOutcomes } from '../../src/session/part-outcomes.ts';
import { SendPace } from '../../src/session/send-pace.ts';
import { type PartOwner, UtterancePart } from '../../src/session/utterance-part.ts';
import { ManualClock } from './manual-clock.ts';

test('a text fails when the eighth connection is lost with it, and not when the browser was offline', () => {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  const owner = { ref: 'a', fail: (reason: unknown) => failures.push(reason) } as unknown as PartOwner;
  const outcomes = new PartOutcomes({
    clock,
    random: () => 0,
    emit: () => {},
    pace: new SendPace(clock),
    freed: () => {},
  });
  const part = new UtterancePart(owner, { text: 'A', index: 0, count: 1 });
  const lose = (isOffline: boolean): void => {
    part.state = 'sent';
    part.sentOver = 'rest';
    const error = isOffline ? null : ownError('proxy_unreachable');
    outcomes.broken({ part, wireId: part.wireId, asks: 'text', acknowledged: false }, error);
  };
  for (let times = 0; times < 20; times += 1) lose(true);
  for (let times = 1; times < 8; times += 1) lose(false);
  assert.deepEqual([failures.length, part.state], [0, 'waiting']);
  lose(false);
  assert.deepEqual(
    failures.map((reason) => (reason as { code: string }).code),
    ['proxy_unreachable'],
  );
});

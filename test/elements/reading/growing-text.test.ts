// A page writes its text bit by bit while it is read, as an answer in a chat, live captions and a typewriter effect.
import assert from 'node:assert/strict';
import test, { afterEach, beforeEach } from 'node:test';
import { install, type Clock } from '@sinonjs/fake-timers';
import { reading, states } from './read-words.ts';

let clock: Clock;
beforeEach(() => {
  clock = install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => clock.uninstall());

test('each sentence of an answer that is written bit by bit is signed whole', async () => {
  const { queue, sent, sign, edit } = reading('When?');
  edit(1, 0, 'We');
  for (const text of ['We op', 'We open', 'We open at', 'We open at nine.']) {
    edit(1, 1, text);
    clock.tick(100);
  }
  assert.equal(sent(), 'When?', 'nothing is sent that is not written to its end');
  await sign('When?');
  assert.equal(queue.isBusy, true, 'a press on Play does not begin anew');
  edit(1, 1, 'We open at nine.', 'On');
  assert.equal(sent(), 'When? We open at nine.', 'the next sentence has begun');
  edit(1, 2, 'We open at nine.', 'On **Sun');
  edit(1, 2, 'We open at nine.', 'On **Sun**');
  edit(1, 2, 'We open at nine.', 'On Sundays');
  await sign('We open at nine.');
  edit(1, 2, 'We open at nine.', 'On Sundays at ten.');
  clock.tick(1000);
  assert.equal(sent(), 'When? We open at nine. On Sundays at ten.', 'nothing more has come for a second');
  await sign('On Sundays at ten.');
  assert.equal(states(queue), 'When?:signed We open at nine.:signed On Sundays at ten.:signed');
});

test('a sentence that goes on after its beginning was signed is signed whole, and what follows it comes later', async () => {
  const { queue, sent, sign, edit } = reading('We end');
  queue.started(queue.entries[0]!.ref);
  edit(0, 1, 'We open.');
  clock.tick(1000);
  assert.equal(sent(), 'We We open. end', 'what is on screen is signed to its end');
  await sign('We open.');
  await sign('end');
  assert.equal(states(queue), 'We open.:signed end:signed');
});

test('stop ends the wait for the rest of a sentence', () => {
  const { queue, sent, edit } = reading('We');
  edit(0, 1, 'We open');
  queue.stop();
  assert.equal(clock.countTimers(), 0);
  assert.equal(sent(), '');
});

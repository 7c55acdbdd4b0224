// What a visitor reads and hears while the service has asked for a pause.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { WaitNotice } from '../../src/elements/wait-notice.ts';
import { en } from '../../src/strings/en.ts';
import { fr } from '../../src/strings/fr.ts';

const busy = (time: string): string => `The signing service is busy. It goes on in ${time}.`;

/** The timers of a page, and their clock. */
function fakeTime(t: TestContext): (seconds: number) => void {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 10_000_000 });
  return (seconds) => {
    for (let at = 0; at < seconds; at += 1) {
      now += 1000;
      t.mock.timers.tick(1000);
    }
  };
}

test('the seconds that are left are shown, only the first sentence is spoken, and nothing is left at the end', (t) => {
  const pass = fakeTime(t);
  let changes = 0;
  let drawn: WaitNotice | undefined;
  const draw = (): void => {
    changes += 1;
    drawn?.message(en);
  };
  const notice = (drawn = new WaitNotice(30, draw));
  assert.equal(changes, 1);
  assert.deepEqual(notice.message(en), {
    text: busy('30 seconds'),
    spoken: busy('30 seconds'),
    soft: false,
  });
  pass(29);
  assert.equal(notice.message(en)?.text, busy('1 second'));
  assert.equal(notice.message(en)?.spoken, busy('30 seconds'));
  assert.match(notice.message(fr)!.text, /dans 1\sseconde\.$/);
  pass(1);
  assert.equal(notice.message(en), null);
  assert.equal(changes, 31);
  pass(60);
  assert.equal(changes, 31, 'it has stopped');
});

test('a long wait is shown in minutes, hours or days, and stops when the notice is closed', (t) => {
  fakeTime(t);
  for (const [seconds, time] of [
    [600, '10 minutes'],
    [7200, '2 hours'],
    [1_000_000, '12 days'],
    [1e12, '11,574,075 days'],
  ] as const) {
    const notice = new WaitNotice(seconds, () => {});
    assert.equal(notice.message(en)?.text, busy(time));
    notice.close();
    assert.equal(notice.message(en), null);
  }
});

test('of many waits only the last one is shown, so the element is drawn once a second', (t) => {
  const pass = fakeTime(t);
  let changes = 0;
  let last: WaitNotice | undefined;
  const draw = (): void => {
    changes += 1;
    last?.message(en);
  };
  for (let wait = 0; wait < 100; wait += 1) last = new WaitNotice(86_400, draw);
  pass(1);
  changes = 0;
  pass(10);
  assert.equal(changes, 10);
});

test('the seconds that are left stay true when the clock of the day is set forward or back', (t) => {
  const pass = fakeTime(t);
  const notice = new WaitNotice(30, () => {});
  for (const hours of [1, -2]) {
    t.mock.timers.setTime(Date.now() + hours * 3_600_000);
    pass(1);
    assert.equal(notice.message(en)?.text, busy(hours === 1 ? '29 seconds' : '28 seconds'));
  }
  pass(28);
  assert.equal(notice.message(en), null);
});

// What a visitor reads and hears while the service has asked for a pause.
import assert from 'node:assert/strict';
import test from 'node:test';
import { WaitNotice } from '../../src/elements/wait-notice.ts';
import { en } from '../../src/strings/en.ts';
import { fr } from '../../src/strings/fr.ts';

const busy = (time: string): string => `The signing service is busy. It goes on in ${time}.`;

test('the seconds that are left are shown, only the first sentence is spoken, and nothing is left at the end', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let changes = 0;
  const notice = new WaitNotice(30, () => (changes += 1));
  assert.equal(changes, 1);
  assert.deepEqual(notice.message(en), {
    text: busy('30 seconds'),
    spoken: busy('30 seconds'),
    soft: false,
  });
  const pass = (seconds: number): void => {
    for (let at = 0; at < seconds; at += 1) t.mock.timers.tick(1000);
  };
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

test('a long wait is shown in minutes, and is over when it is closed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const notice = new WaitNotice(600, () => {});
  assert.equal(notice.message(en)?.text, busy('10 minutes'));
  notice.close();
  assert.equal(notice.message(en), null);
});

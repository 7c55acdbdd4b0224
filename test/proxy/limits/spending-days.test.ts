// Streams that are open when a day or a month ends (UTC): how much of their time counts towards which.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spendings } from '../../../proxy/limits/spending.ts';
import { messageOf } from '../../../proxy/relay/message.ts';
import { SessionSpending } from '../../../proxy/relay/session-spending.ts';
import { SESSION_START } from '../client-socket.ts';
import { manualClock } from '../manual-clock.ts';

const MINUTE_MS = 60_000;
const STREAM = messageOf(Buffer.from(SESSION_START.replace('translate', 'stream')));
const summary = (seconds: number): string =>
  JSON.stringify({ type: 'session.summary', usage: { total_video_duration_sec: seconds } });

/** A site with these caps at ten minutes to midnight, and its sums. */
function evening(caps: { readonly dailySeconds: number; readonly monthlySeconds: number }) {
  const clock = manualClock();
  const began = Date.parse('2026-11-29T23:50:00Z') - clock.now();
  const sums: Record<string, number> = {};
  let spent = 0;
  const site = spendings({
    clock,
    link: null,
    file: {
      sum: () => 0,
      set: (_site, name, unit, total) => void (unit === 'seconds' && (sums[name] = total)),
    },
    log: { warn: () => undefined },
    metrics: {
      limitHit: () => undefined,
      charactersSpent: () => undefined,
      videoSpent: (_site, seconds) => void (spent += seconds),
    },
    time: () => began + clock.now(),
  })({ site: 'a', dailyCharacters: null, monthlyCharacters: null, ...caps });
  return { clock, site, sums, spent: () => spent };
}

for (const [what, end] of [
  ['ends without a summary', undefined],
  ['ends with a summary', summary(1_500)],
] as const) {
  test(`a stream that is open at midnight and ${what} counts towards each day with the time of that day`, () => {
    const { clock, site, sums, spent } = evening({ dailySeconds: 1_000, monthlySeconds: 2_000 });
    const session = new SessionSpending(clock, site);
    session.started(STREAM);
    clock.advance(10 * MINUTE_MS);
    assert.equal(site.isSpent, false, 'a new day');
    clock.advance(15 * MINUTE_MS);
    assert.equal(site.isSpent, false, '900 of the 1,000 seconds of the day');
    if (end !== undefined) session.received(messageOf(Buffer.from(end)));
    session.ended(true);
    assert.deepEqual(sums, { '2026-11-29': 600, '2026-11': 1_500, '2026-11-30': 900 });
    assert.equal(spent(), 1_500);
    assert.equal(site.isSpent, false);
    site.add({ seconds: 100 });
    assert.equal(site.isSpent, true);
  });
}

test('the month counts a stream that is open over midnight once, and adds the streams that began after midnight', () => {
  const { clock, site } = evening({ dailySeconds: 10_000, monthlySeconds: 1_000 });
  const stopEarly = site.streaming();
  clock.advance(10 * MINUTE_MS);
  const stopLate = site.streaming();
  clock.advance(3 * MINUTE_MS);
  assert.equal(site.isSpent, false, '600 before midnight, twice 180 after it');
  clock.advance(MINUTE_MS);
  assert.equal(site.isSpent, true);
  assert.deepEqual([stopEarly(), stopLate()], [600, 0]);
  assert.equal(site.isSpent, false, 'the time after midnight is not added yet');
});

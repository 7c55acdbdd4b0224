// SIGN_SPENDING_FILE and streams: no sum has the time of open streams, and a killed process ends no session.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { SESSION_START } from '../client-socket.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';

function kept(t: TestContext) {
  const folder = temporaryFolder();
  const path = join(folder, 'spending.json');
  /** The seconds of the day and of the month. */
  const seconds = (): readonly unknown[] => {
    if (!existsSync(path)) return [];
    const { default: sums = {} } = JSON.parse(readFileSync(path, 'utf8')) as {
      default?: Record<string, { seconds?: number }>;
    };
    return Object.values(sums).map((units) => units.seconds);
  };
  const start = (cap = 1_000): Promise<MountedProxy> =>
    mountedProxy(t, { env: { SIGN_DAILY_SECONDS: String(cap), SIGN_SPENDING_FILE: path } });
  return { start, seconds };
}

async function stream({ pair }: MountedProxy): ReturnType<MountedProxy['pair']> {
  const both = await pair();
  both.client.socket.send(SESSION_START.replace('translate', 'stream'));
  await both.session.frames.next();
  return both;
}

/** The seconds in the file, as soon as they are at least a minute. */
const minuteIn = ({ clock }: MountedProxy, seconds: () => readonly unknown[]): Promise<number> =>
  until(
    () => {
      clock.advance(1_000);
      return Number(seconds()[0] ?? 0);
    },
    (day) => day >= 60,
  );

test('the time of a stream that was open when the process was killed counts after the restart', async (t) => {
  const { start, seconds } = kept(t);
  const killed = await start();
  await stream(killed);
  const day = await minuteIn(killed, seconds);
  assert.deepEqual(seconds(), [day, day]);
  const restarted = await start(day + 40);
  const { client } = await stream(restarted);
  restarted.clock.advance(40_000);
  assert.deepEqual(await client.closed, { code: 1008, reason: 'budget_spent' });
});

test('a stream that ends with a summary counts the seconds of the summary, also in the file that the proxy writes when it stops', async (t) => {
  const { start, seconds } = kept(t);
  const stopped = await start();
  const { client, session } = await stream(stopped);
  await minuteIn(stopped, seconds);
  session.socket.send('{"type":"session.summary","usage":{"total_video_duration_sec":0}}');
  await client.frames.next();
  client.socket.close();
  await session.closed;
  stopped.app.server.closeAllConnections();
  await stopped.app.close();
  assert.deepEqual(seconds(), [0, 0]);
});

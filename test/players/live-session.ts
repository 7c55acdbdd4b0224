// A live session of the sandbox in players that are not ours: a sender that is not ours either pushes a picture, and the
// signer's streams and the composite are painted in hls.js, Shaka and dash.js. The frame stamps show what was painted.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { clipId, startSandbox } from '../../demo/sandbox/index.ts';
import { ffmpeg, stampedSource } from '../sandbox/live/media/stamped-source.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { openPlayerHarness, type PlayerName, type PlayerPage } from './player-harness.ts';

/** Enough to tell their order; a busy machine leaves most of a sentence out. */
const FEW_FRAMES = 5;

const sandbox = await startSandbox({ render: { stamp: true, scale: 0.5 } });
const harness = await openPlayerHarness();
after(async () => {
  await harness.close();
  await sandbox.close();
});

interface LiveSession {
  readonly sessionId: string;
  readonly rtmpEndpoints: readonly [string];
  readonly manifests: Readonly<Record<'hls' | 'dash' | 'pip', string>>;
}

/** Two players at a time: a machine of two cores decodes no more of them beside the session itself. */
const watched: readonly (readonly [
  what: string,
  kind: keyof LiveSession['manifests'],
  players: readonly PlayerName[],
])[] = [
  ['composite', 'pip', ['hls.js light', 'Shaka, HLS']],
  ['signer by HLS', 'hls', ['hls.js', 'Shaka, HLS']],
  ['signer by DASH', 'dash', ['Shaka, DASH', 'dash.js']],
];

/**
 * The player reads whole segments here, because on a slow machine its low-latency mode leaves parts out, seeks into the gap and
 * waits there for ever. The low-latency streams of jobs are read in that mode, in stock-players.ts.
 */
const bySegments: PlayerName = 'Shaka, HLS';

const api = (method: string, path = '', body?: object): Promise<Response> =>
  fetch(`${sandbox.addresses.apiUrl}/v2/live/sessions${path}`, {
    method,
    headers: {
      'X-API-KEY': sandbox.addresses.apiKey,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Each sentence names the second of the source at which it begins. */
const sentences = new Set(
  Array.from({ length: 96 }, (_, i) => `${Math.floor(i / 12)}:${String((i % 12) * 5).padStart(2, '0')}`).map(
    (time) => clipId(`source time 0${time}`),
  ),
);

/** The frames of the first sentence that began after a player had joined, as far as they were painted. */
async function sentenceIn(page: PlayerPage): Promise<number[]> {
  const painted = await page.painted();
  const [, whole] = [...new Set(painted.map(({ clip }) => clip))].filter((clip) => sentences.has(clip));
  return painted.filter(({ clip }) => clip === whole).map(({ frame }) => frame);
}

test('plays a live session of a pushed source', async (t) => {
  const created = await api('POST', '', { sourceType: 'RTMP_PUSH', pictureInPicture: true });
  assert.equal(created.status, 201);
  const { sessionId, rtmpEndpoints, manifests } = (await created.json()) as LiveSession;
  const source = stampedSource(temporaryFolder(), 10);
  const again = ['-re', '-stream_loop', '-1', '-i', source];
  const sender = ffmpeg(t, [...again, '-c', 'copy', '-f', 'flv', rtmpEndpoints[0]]);
  /** The state of the session, for the message of a failed wait for its pictures. */
  const standing = async (): Promise<object> => {
    const { status, error } = (await (await api('GET', `/${sessionId}`)).json()) as Record<string, unknown>;
    return { session: status, error, sender: sender.exitCode ?? 'goes on' };
  };
  // Shaka cannot read a playlist of parts alone: it reads an index in which it finds no segment, and reports an error.
  await until(
    async () => (await fetch(manifests.pip)).text(),
    (playlist) => playlist.includes('#EXTINF'),
    standing,
  );

  for (const [what, kind, players] of watched) {
    await t.test(`its ${what} is painted in order in ${players.join(' and ')}`, async () => {
      const pages = await Promise.all(
        players.map((player) => harness.open(player, manifests[kind], player !== bySegments)),
      );
      for (const [i, page] of pages.entries()) {
        const frames = await until(
          () => sentenceIn(page),
          ({ length }) => length > FEW_FRAMES,
          async () => [players[i], await page.standing(), await standing()],
        );
        const fall = frames.findIndex((frame, at) => frame < (frames[at - 1] ?? 0));
        assert.equal(fall, -1, `${players[i]} goes back to an earlier frame`);
        assert.deepEqual(await page.complaints(), [], players[i]);
        await page.page.close();
      }
    });
  }
  const stopped = await api('DELETE', `/${sessionId}`);
  assert.equal(stopped.status, 200);
});

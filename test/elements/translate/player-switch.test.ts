// Which clips are requested before it is their turn.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ClipPresenter } from '../../../src/elements/translate/player-switch.ts';
import type { SessionSettings } from '../../../src/elements/translate/session-settings.ts';
import { TranslateUtterance } from '../../../src/elements/translate/translate-utterance.ts';
import type { PlaylistPlayer } from '../../../src/playback/clips/playlist-player.ts';
import type { ServiceSession } from '../../../src/session/service-session.ts';
import { promisesSettled } from '../../promises-settled.ts';

test('a video of the page is requested only when the player needs it, and a video of the service at once', async (t) => {
  const requested: string[] = [];
  t.mock.method(globalThis, 'fetch', (address: string, { signal }: { signal: AbortSignal }) => {
    requested.push(address);
    return new Promise<Response>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  const presenter = new ClipPresenter({} as PlaylistPlayer, {
    started: () => {},
    ended: () => {},
    failed: () => {},
    changed: () => {},
  });
  const add = (name: string, session: ServiceSession | null): void => {
    const utterance = new TranslateUtterance(name, {} as SessionSettings, false);
    utterance.session = session;
    const url = `https://media.example.net/${name}.mp4`;
    const renew = (): Promise<string> => Promise.reject(new Error('there is no other'));
    presenter.addClip(utterance, { part: 0, parts: 1, url, durationSeconds: null, renew });
    t.after(() => utterance.clips[0]?.bytes.release());
  };
  for (let at = 0; at < 12; at += 1) add(`page-${at}`, null);
  add('service', {} as ServiceSession);
  await promisesSettled();
  assert.deepEqual(requested, ['https://media.example.net/service.mp4']);
});

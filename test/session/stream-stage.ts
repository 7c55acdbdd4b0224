// A stage in stream mode: sessions that come with a stream, and are lost with it.
import type { SignSessionOptions } from '../../src/session/session-types.ts';
import { promisesSettled } from './manual-clock.ts';
import { Stage } from './stage.ts';

/** Opens the newest socket and has the service name this stream. */
export async function ready(stage: Stage, fields: object = { manifest_url: 'https://media.example/1.m3u8' }) {
  stage.socket.open();
  stage.socket.say({ type: 'session.ready', session_id: 's-1', ...fields });
  await promisesSettled();
}

/** A stage whose session is ready. */
export async function streaming(options: Partial<SignSessionOptions> = {}): Promise<Stage> {
  const stage = new Stage({ mode: 'stream', ...options });
  void stage.session.connect();
  await ready(stage);
  return stage;
}

/** Drops the session and brings the next one to ready, with a stream of its own. */
export async function reconnected(stage: Stage): Promise<void> {
  stage.socket.drop();
  await stage.clock.advance(250);
  await ready(stage, { manifest_url: `https://media.example/${stage.sockets.length}.m3u8` });
}

// A harness in stream mode: each session has a stream, and the stream ends when the session is lost.
import type { SignSessionOptions } from '../../src/session/session-types.ts';
import { promisesSettled } from '../promises-settled.ts';
import { Harness } from './harness.ts';

/** Opens the newest socket and has the service name this stream. */
export async function ready(
  harness: Harness,
  fields: object = { manifest_url: 'https://media.example/1.m3u8' },
) {
  harness.socket.open();
  harness.socket.say({ type: 'session.ready', session_id: 's-1', ...fields });
  await promisesSettled();
}

/** A harness whose session is ready. */
export async function streaming(options: Partial<SignSessionOptions> = {}): Promise<Harness> {
  const harness = new Harness({ mode: 'stream', ...options });
  void harness.session.connect();
  await ready(harness);
  return harness;
}

/** Drops the session and brings the next one to ready, with a stream of its own. */
export async function reconnected(harness: Harness): Promise<void> {
  harness.socket.drop();
  await harness.clock.advance(250);
  await ready(harness, { manifest_url: `https://media.example/${harness.sockets.length}.m3u8` });
}

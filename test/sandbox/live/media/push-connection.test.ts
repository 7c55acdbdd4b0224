// One connection to a server that accepts it and then misbehaves.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { LiveProblem } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { PushConnection } from '../../../../demo/sandbox/live/media/push-out.ts';
import { sourceAddress } from '../../../../demo/sandbox/live/media/source-address.ts';
import { frameSizes } from '../../../../demo/sandbox/media/media-spec.ts';
import { listen } from '../../../listening.ts';
import { until } from '../../../until.ts';
import { avcDescription } from './avc-description.ts';
import { ffmpeg } from './stamped-source.ts';

/** A large sample: a few of these fill the buffers of a connection that nobody reads. */
const sample = { data: new Uint8Array(8_000_000), key: true, shown: 0 } as const;

const doesNotAnswer = (error: unknown): boolean =>
  error instanceof LiveProblem && error.message === 'the destination of the output does not answer';

/** A connection to FFmpeg, which accepts everything. */
async function connected(t: TestContext) {
  const { url } = await sourceAddress({ kind: 'rtmp', streamKey: 'key' });
  const receiver = ffmpeg(t, ['-listen', '1', '-i', url, '-f', 'null', '-']);
  let connection: PushConnection | null = null;
  await until(async () => {
    connection = await PushConnection.open({ url, format: 'flv' }, frameSizes['720p'], avcDescription());
    return connection !== null;
  });
  return { receiver, connection: connection! as PushConnection };
}

// Each of these tests waits for seconds, so they run at the same time.
describe('a destination that', { concurrency: true }, () => {
  it('accepts the connection and answers nothing makes the connection fail', async (t) => {
    const server = createServer((socket) => {
      t.after(() => socket.destroy());
    });
    const port = await listen(server);
    t.after(() => server.close());
    const url = `rtmp://127.0.0.1:${port}/live/key`;
    await assert.rejects(
      PushConnection.open({ url, format: 'flv' }, frameSizes['720p'], avcDescription()),
      doesNotAnswer,
    );
  });

  it('stops reading makes the connection fail', async (t) => {
    const { receiver, connection } = await connected(t);
    receiver.kill('SIGSTOP');
    const fill = async (): Promise<void> => {
      for (let at = 0; await connection.write({ sample, at }); at += 40);
    };
    await assert.rejects(fill(), doesNotAnswer);
  });

  it('is gone before the connection is closed does not block the close', async (t) => {
    const { receiver, connection } = await connected(t);
    receiver.kill('SIGKILL');
    await once(receiver, 'exit');
    await connection.close(true);
  });
});

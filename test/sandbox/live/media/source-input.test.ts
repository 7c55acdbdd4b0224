// One connection of a source, with peers that connect and then misbehave.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it, test, type TestContext } from 'node:test';
import { LiveProblem } from '../../../../demo/sandbox/live/media/live-messages.ts';
import { PushConnection } from '../../../../demo/sandbox/live/media/push-out.ts';
import { sourceAddress, type SourceAddress } from '../../../../demo/sandbox/live/media/source-address.ts';
import { frameSizes } from '../../../../demo/sandbox/media/media-spec.ts';
import {
  SourceGone,
  SourceInput,
  type ComingSource,
} from '../../../../demo/sandbox/live/media/source-input.ts';
import { listening } from '../../../listening.ts';
import { h264, makeSource, picture } from '../encoded-source.ts';
import { avcDescription } from './avc-description.ts';

const rtmp = { kind: 'rtmp', streamKey: 'key' } as const;
const srt = { kind: 'srt', passphrase: null, keyLength: 16, latencyMs: 120 } as const;

/** Opens the source at an address; the opening is aborted at the end of the test. */
function opening(t: TestContext, address: SourceAddress): ComingSource {
  const ends = new AbortController();
  const coming = SourceInput.open(address, ends.signal);
  t.after(async () => {
    ends.abort();
    await coming.input.then(
      (input) => input.close(),
      () => {},
    );
  });
  return coming;
}

const read = async (input: Promise<SourceInput>) => (await input).read(new AbortController().signal);

/** Connects, sends a header, and then nothing. */
async function silentPeer(t: TestContext, { url, format }: SourceAddress): Promise<void> {
  const peer = await PushConnection.open(
    { url, format: format === 'flv' ? 'flv' : 'mpegts' },
    frameSizes['720p'],
    avcDescription(),
  );
  assert.ok(peer, 'the peer is let in');
  t.after(() => peer.close(false));
}

/** Lets another process listen there, because a port of this process would count as the source's own. */
async function takeElsewhere(t: TestContext, protocol: 'tcp' | 'udp', port: number): Promise<void> {
  const listener =
    protocol === 'tcp'
      ? `require('net').createServer().listen(${port}, '127.0.0.1', said)`
      : `require('dgram').createSocket('udp4').bind(${port}, '127.0.0.1', said)`;
  const taker = spawn(process.execPath, ['-e', `const said = () => console.log('taken'); ${listener};`]);
  t.after(() => taker.kill());
  await once(taker.stdout, 'data');
}

for (const source of [rtmp, srt]) {
  test(`the port of a source of kind ${source.kind} is bound when it is reported to be`, async (t) => {
    const address = await sourceAddress(source);
    const coming = opening(t, address);
    await coming.listening;
    await silentPeer(t, address);
  });

  test(`a port for a source of kind ${source.kind} that is in use is reported at once`, async (t) => {
    const address = await sourceAddress(source);
    const { port } = address.listener!;
    await takeElsewhere(t, source.kind === 'rtmp' ? 'tcp' : 'udp', port);
    const { listening, input } = opening(t, address);
    const taken = (error: unknown): boolean =>
      error instanceof LiveProblem && error.message === 'the port to push to cannot be opened';
    await assert.rejects(listening, taken);
    await assert.rejects(input, taken);
  });
}

// A peer must be accepted before its silence is too long. These tests wait for seconds, so they run at the same time.
describe('a peer that connects and stays silent', { concurrency: true }, () => {
  for (const source of [rtmp, srt]) {
    it(`counts as gone for a source of kind ${source.kind}, and the port is listened on again`, async (t) => {
      const found = await sourceAddress(source);
      const limit = source.kind === 'rtmp' ? 'rw_timeout' : 'timeout';
      assert.equal(found.options[limit], '5000000');
      const address = { ...found, options: { ...found.options, [limit]: '2000000' } };
      const { listening, input } = opening(t, address);
      const gone = assert.rejects(read(input), SourceGone);
      await listening;
      await silentPeer(t, address);
      await gone;
      await opening(t, address).listening;
      await silentPeer(t, address);
    });
  }

  it('counts as gone while it is probed, and may return', async (t) => {
    const address = { ...(await sourceAddress(rtmp)), silentMs: 2000 };
    const { listening, input } = opening(t, address);
    const gone = assert.rejects(input, SourceGone);
    await listening;
    await silentPeer(t, address);
    await gone;
  });
});

test('pulled segments may have any name', async (t) => {
  const made = await makeSource([...picture, '-t', '1', ...h264]);
  const [segment] = [...made.keys()].filter((name) => name.endsWith('.ts'));
  for (const name of ['segment1', 'segment?n=1', 'a.jpg', 'a.m2ts']) {
    const playlist = made.get('index.m3u8')!.toString().replace(segment!, name);
    const files = new Map<string, string | Buffer>([
      ['index.m3u8', playlist],
      [name, made.get(segment!)!],
    ]);
    const origin = await listening(
      t,
      createServer((request, response) => {
        response.end(files.get((request.url ?? '').slice(1)));
      }),
    );
    const url = `${origin}/index.m3u8`;
    const { input } = opening(t, await sourceAddress({ kind: 'hls', url, normalise: false }));
    assert.ok(await read(input), name);
  }
});

test('a pulled source has no port to wait for', async (t) => {
  const address = await sourceAddress({ kind: 'hls', url: 'http://127.0.0.1:1/live.m3u8', normalise: false });
  const { listening, input } = opening(t, address);
  await listening;
  await assert.rejects(input, SourceGone);
});

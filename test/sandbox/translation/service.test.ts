// The translation API in the whole sandbox: the URLs of its answers can be fetched, from the media origin and with real encoders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../../demo/sandbox/index.ts';
import { fetchManifest } from '../../players/stream-session.ts';
import { bodyOf } from './harness.ts';

test('a file, its job and a stream of it can be fetched with the key of the sandbox', async (t) => {
  const sandbox = await startSandbox({ render: { framesPerWord: 2, scale: 0.25 } });
  t.after(() => sandbox.close());
  const { apiKey, apiUrl, mediaUrl } = sandbox.addresses;
  const headers = { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' };
  const generate = (format: string, method: string) =>
    fetch(`${apiUrl}/v2/generate`, {
      method: 'POST',
      headers,
      body: JSON.stringify(bodyOf(format, method, { resolution: '160x90' }, { duration: 0.4 })),
      redirect: 'manual',
    });

  const redirect = await generate('mp4', 'download');
  assert.equal(redirect.status, 303);
  const location = redirect.headers.get('location') ?? '';
  assert.equal(new URL(location).origin, mediaUrl);
  const file = await fetch(location);
  assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'video/mp4']);
  assert.equal(Buffer.from(await file.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');

  const pushed = (await (await generate('mp4', 'push')).json()) as { jobId: string };
  const state = await fetch(`${apiUrl}/v1/status/${pushed.jobId}`, { headers });
  const { status, downloadUrl } = (await state.json()) as { status: string; downloadUrl: string };
  assert.equal(status, 'completed');
  assert.equal(new URL(downloadUrl).pathname, new URL(location).pathname);

  const streamed = (await (await generate('hls', 'stream')).json()) as {
    manifests: { hls: string; dash: string };
  };
  const playlist = await fetchManifest(streamed.manifests.hls);
  assert.equal(playlist.status, 200);
  assert.match(await playlist.text(), /^#EXTM3U/);
  const manifest = await fetchManifest(streamed.manifests.dash);
  assert.equal(manifest.headers.get('content-type'), 'application/dash+xml');
  assert.match(await manifest.text(), /<MPD/);
});

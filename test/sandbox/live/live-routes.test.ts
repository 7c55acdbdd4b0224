// The live session object by source, output and operation (document 2, Live session object): which fields are in which answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf } from './fake-media.ts';
import { LiveHarness, type Json } from './live-harness.ts';
import { promisesSettled } from '../../promises-settled.ts';

const hlsSourceUrl = 'http://127.0.0.1:1/source.m3u8';
const bodies = {
  HLS_PULL: { sourceType: 'HLS_PULL', hlsSourceUrl },
  RTMP_PUSH: { sourceType: 'RTMP_PUSH' },
  SRT_PUSH: { sourceType: 'SRT_PUSH', srtConfig: { passphrase: 'a passphrase' } },
} as const;
const outputs = {
  HLS: {},
  RTMP: { outputType: 'RTMP', rtmpOutputUrl: 'rtmp://a.example/live', rtmpOutputStreamKey: 'stream-key' },
  SRT: { outputType: 'SRT', outputDestinationUrl: 'srt://a.example:9000' },
} as const;

const ofSource = {
  HLS_PULL: { hlsSourceUrl },
  RTMP_PUSH: { rtmpEndpoints: ['rtmp://127.0.0.1:1935/live/key'], relayActive: false },
  SRT_PUSH: { ingestUrl: 'srt://127.0.0.1:9000', srtPassphrase: 'a passphrase' },
};

function ofOutput(outputType: keyof typeof outputs, harness: LiveHarness): Json {
  if (outputType === 'SRT') return {};
  if (outputType === 'RTMP') return { rtmpOutputUrl: outputs.RTMP.rtmpOutputUrl };
  const { hlsUrl: hls, dashUrl: dash } = addressesOf(harness.run.spec);
  return { outputManifestUrl: hls, manifests: { hls, dash } };
}

for (const sourceType of ['HLS_PULL', 'RTMP_PUSH', 'SRT_PUSH'] as const) {
  for (const outputType of ['HLS', 'RTMP', 'SRT'] as const) {
    test(`create, list and get of a session from ${sourceType} to ${outputType} give exactly the fields of their operation`, async (t) => {
      const harness = new LiveHarness(t);
      const { status, body: made } = await harness.create({ ...bodies[sourceType], ...outputs[outputType] });
      assert.equal(status, 201);
      const { sessionId } = made;
      assert.match(String(sessionId), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
      const common = {
        sessionId,
        status: 'active',
        outputType,
        pictureInPicture: false,
        ...ofSource[sourceType],
        ...ofOutput(outputType, harness),
      };
      assert.deepEqual(made, common);
      const { body: listed } = await harness.list();
      assert.deepEqual(listed, { sessions: [{ ...common, sourceType }] });
      const { status: found, body: got } = await harness.get(String(sessionId));
      assert.equal(found, 200);
      assert.deepEqual(got, {
        ...common,
        sourceType,
        language: 'BSL',
        signer: 'RAE',
        ...(outputType === 'RTMP' && { rtmpOutputStreamKey: 'stream-key' }),
      });
    });
  }
}

test('the composite has a manifest for HLS output only, and the session still shows that it was requested', async (t) => {
  const harness = new LiveHarness(t);
  const { body: hls } = await harness.create({ sourceType: 'RTMP_PUSH', pictureInPicture: true });
  const { pipUrl } = addressesOf(harness.run.spec);
  assert.equal((hls['manifests'] as Json)['pip'], pipUrl);
  assert.equal(harness.run.spec.pictureInPicture, true);
  const { body: pushed } = await harness.create({
    ...bodies.RTMP_PUSH,
    ...outputs.RTMP,
    pictureInPicture: true,
  });
  assert.equal(pushed['pictureInPicture'], true);
  assert.equal(pushed['manifests'], undefined);
  assert.equal(harness.run.spec.pictureInPicture, false);
});

test('an RTMP output without a stream key has none in any answer', async (t) => {
  const harness = new LiveHarness(t);
  const { outputType, rtmpOutputUrl } = outputs.RTMP;
  const id = await harness.created({ ...bodies.SRT_PUSH, outputType, rtmpOutputUrl });
  assert.ok(!('rtmpOutputStreamKey' in (await harness.get(id)).body), 'no stream key');
});

test('an SRT ingest without a passphrase gets one of its own, unlike any other', async (t) => {
  const harness = new LiveHarness(t);
  const passphrases = new Set<unknown>();
  for (let n = 0; n < 3; n++) {
    const { body } = await harness.create({ sourceType: 'SRT_PUSH' });
    assert.match(String(body['srtPassphrase']), /^[0-9a-f]{32}$/);
    passphrases.add(body['srtPassphrase']);
    const { source } = harness.run.spec;
    assert.deepEqual(source, {
      kind: 'srt',
      passphrase: body['srtPassphrase'],
      keyLength: 16,
      latencyMs: 120,
    });
  }
  assert.equal(passphrases.size, 3);
});

test('the SRT and RTMP fields of a request reach the media', async (t) => {
  const harness = new LiveHarness(t);
  const srt = { passphrase: 'in and out of it', keyLength: 32, latency: 300 };
  await harness.created({
    sourceType: 'SRT_PUSH',
    srtConfig: srt,
    outputType: 'SRT',
    outputDestinationUrl: 'srt://a.example:9000',
    outputSrtConfig: { ...srt, passphrase: 'another one' },
  });
  const asked = { kind: 'srt', keyLength: 32, latencyMs: 300 };
  assert.deepEqual(harness.run.spec.source, { ...asked, passphrase: srt.passphrase });
  assert.deepEqual(harness.run.spec.output, {
    ...asked,
    passphrase: 'another one',
    url: 'srt://a.example:9000',
  });
  await harness.created({ ...bodies.HLS_PULL, ...outputs.RTMP });
  assert.deepEqual(harness.run.spec.source, { kind: 'hls', url: hlsSourceUrl, normalise: false });
  const { rtmpOutputUrl: url, rtmpOutputStreamKey: streamKey } = outputs.RTMP;
  assert.deepEqual(harness.run.spec.output, { kind: 'rtmp', url, streamKey });
  await harness.created({ ...bodies.RTMP_PUSH, ...outputs.SRT });
  assert.deepEqual(harness.run.spec.output, {
    kind: 'srt',
    url: outputs.SRT.outputDestinationUrl,
    passphrase: null,
    keyLength: 16,
    latencyMs: 120,
  });
});

test('fields whose names are not documented can be renamed', async (t) => {
  const harness = new LiveHarness(t);
  harness.names = {
    ...harness.names,
    live_source_url: 'pulledFrom',
    live_rtmp_url: 'pushedTo',
    live_rtmp_stream_key: 'pushedWith',
  };
  const { body } = await harness.get(await harness.created({ ...bodies.HLS_PULL, ...outputs.RTMP }));
  assert.deepEqual(
    [body['pulledFrom'], body['pushedTo'], body['pushedWith']],
    [hlsSourceUrl, 'rtmp://a.example/live', 'stream-key'],
  );
  for (const name of ['hlsSourceUrl', 'rtmpOutputUrl', 'rtmpOutputStreamKey'])
    assert.ok(!(name in body), name);
});

test('creating sets a cookie for each part of the permission, for the files beside each manifest', async (t) => {
  const harness = new LiveHarness(t);
  const { headers } = await harness.create({ sourceType: 'RTMP_PUSH', pictureInPicture: true });
  const cookie = (name: string, value: string, path: string): string =>
    `sandbox-${name}=${value}; Path=/streams/${path}/; HttpOnly; SameSite=Lax; Max-Age=86400`;
  assert.deepEqual(headers['set-cookie'], [
    cookie('expires', '1893542400000', 'signer'),
    cookie('signature', 'abc', 'signer'),
    cookie('expires', '1893542400000', 'composite'),
    cookie('signature', 'abc', 'composite'),
  ]);
  const { headers: none } = await harness.create({ ...bodies.RTMP_PUSH, ...outputs.SRT });
  assert.equal(none['set-cookie'], undefined);
});

test('startedAt is when the source first came, and stoppedAt is when the whole session had ended', async (t) => {
  const harness = new LiveHarness(t);
  const id = await harness.created(bodies.RTMP_PUSH);
  const view = async (): Promise<readonly unknown[]> => {
    const { status, startedAt, stoppedAt } = (await harness.get(id)).body;
    return [status, startedAt, stoppedAt];
  };
  const started = '2030-01-01T00:00:05.000Z';
  harness.clock.advance(5000);
  harness.run.report('running');
  assert.deepEqual(await view(), ['active', started, undefined]);
  harness.clock.advance(5000);
  harness.run.report('pending');
  harness.run.report('running');
  assert.deepEqual(await view(), ['active', started, undefined]);
  const { status, body } = await harness.stop(id);
  assert.equal(status, 200);
  assert.equal(body['status'], 'finalizing');
  assert.deepEqual(await view(), ['finalizing', started, undefined]);
  harness.clock.advance(1000);
  harness.run.stopped();
  await promisesSettled();
  assert.deepEqual(await view(), ['ended', started, '2030-01-01T00:00:11.000Z']);
});

test('the answer to a stop is the session’s entry in the list', async (t) => {
  const harness = new LiveHarness(t);
  const id = await harness.created({ ...bodies.SRT_PUSH, ...outputs.RTMP });
  const { body } = await harness.stop(id);
  const { sessions } = (await harness.list()).body as { sessions: Json[] };
  assert.deepEqual(body, sessions[0]);
});

test('a session stops once, however often it is stopped, and does not change after its end', async (t) => {
  const harness = new LiveHarness(t);
  const id = await harness.created(bodies.RTMP_PUSH);
  await harness.stop(id);
  await harness.stop(id);
  assert.equal(harness.run.stops, 1);
  harness.run.report('stopped');
  await promisesSettled();
  const ended = await harness.get(id);
  assert.equal(ended.body['status'], 'ended');
  harness.clock.advance(1000);
  const again = await harness.stop(id);
  assert.equal(again.status, 200);
  assert.equal(again.body['stoppedAt'], ended.body['stoppedAt']);
  assert.equal(harness.run.stops, 1);
});

test('a source that ends ends its session without an error', async (t) => {
  const harness = new LiveHarness(t);
  const id = await harness.created(bodies.HLS_PULL);
  harness.run.report('running');
  harness.run.report('stopped');
  const { body } = await harness.get(id);
  assert.deepEqual([body['status'], body['error']], ['ended', undefined]);
});

test('a session that fails ends with its error, and its media are freed', async (t) => {
  const harness = new LiveHarness(t);
  const id = await harness.created(bodies.HLS_PULL);
  harness.run.report({ failed: 'the source cannot be read' });
  const { body } = await harness.get(id);
  assert.deepEqual([body['status'], body['error']], ['ended', 'the source cannot be read']);
  assert.equal(body['stoppedAt'], '2030-01-01T00:00:00.000Z');
  assert.equal(harness.run.stops, 1);
  harness.run.report('running');
  assert.equal((await harness.get(id)).body['status'], 'ended');
});

test('media that cannot be stopped fail the session, and the cause is not described to the client', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const harness = new LiveHarness(t);
  const id = await harness.created(bodies.RTMP_PUSH);
  await harness.stop(id);
  harness.run.stopped(new Error('secret inside'));
  await promisesSettled();
  const { body } = await harness.get(id);
  assert.deepEqual([body['status'], body['error']], ['ended', 'the session could not be stopped']);
  assert.equal(logged.mock.callCount(), 1);
});

test('a fault fails sessions that begin to run, as often as it says', async (t) => {
  const harness = new LiveHarness(t);
  harness.setFaults({ fault: 'live_session_fails', error: 'no picture', count: 1 });
  const [first, second] = [await harness.created(bodies.RTMP_PUSH), await harness.created(bodies.RTMP_PUSH)];
  for (const run of harness.media.runs) run.report('running');
  assert.equal((await harness.get(first)).body['error'], 'no picture');
  assert.equal((await harness.get(second)).body['status'], 'active');
  harness.setFaults({ fault: 'live_session_fails' });
  const third = await harness.created(bodies.RTMP_PUSH);
  harness.run.report('running');
  assert.equal((await harness.get(third)).body['error'], 'asked for by a fault');
});

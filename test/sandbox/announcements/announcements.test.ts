// The life of an announcement over the API: submitted, in progress, completed or failed.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { EncodeError } from '../../../demo/sandbox/media/media-spec.ts';
import { openHarness } from './harness.ts';
import { eachCase } from '../each-case.ts';

const failed = (errorLog: unknown) => ({ data: { status: 'FAILED', errorLog } });
const departure = { destination: 'LDS', timing: '1432', platform: '4' };
const DAY = 24 * 3600 * 1000;

test('an accepted announcement is in progress until its video is made, then it has a signed address', async (t) => {
  const harness = openHarness(t);
  const submitted = await harness.submit(departure);
  assert.equal(submitted.status, 200);
  assert.deepEqual(Object.keys(submitted.body), ['data']);
  assert.deepEqual(Object.keys(submitted.data), ['id']);
  const { id } = submitted.data;
  assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);

  assert.deepEqual((await harness.check(id, '?filter=status')).body, { data: { status: 'IN_PROGRESS' } });
  await harness.making[0]!.finish();
  const expires = harness.clock.now() + 300_000;
  const { status, body } = await harness.check(id, '?filter=status');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    data: { status: 'COMPLETED', downloadUrl: `http://media.test/clips/one.mp4?expires=${expires}` },
  });
});

test('each request for the address gets a new signature', async (t) => {
  const harness = openHarness(t);
  const { id } = (await harness.submit(departure)).data;
  await harness.making[0]!.finish();
  const before = (await harness.check(id)).data['downloadUrl'];
  harness.clock.advance(1000);
  assert.notEqual((await harness.check(id)).data['downloadUrl'], before);
});

test('without the filter the answer also has the request and the signed sentences', async (t) => {
  const harness = openHarness(t);
  const created = new Date(harness.clock.now()).toISOString();
  const { id } = (await harness.submit(departure)).data;
  const known = {
    id,
    createdAt: created,
    request: departure,
    text: 'The 14 32 service to Leeds will depart from platform 4.',
  };
  assert.deepEqual((await harness.check(id)).data, { ...known, status: 'IN_PROGRESS' });
  await harness.making[0]!.finish();
  const expires = harness.clock.now() + 300_000;
  assert.deepEqual((await harness.check(id)).data, {
    ...known,
    status: 'COMPLETED',
    downloadUrl: `http://media.test/clips/one.mp4?expires=${expires}`,
    expiresAt: new Date(expires).toISOString(),
    mimeType: 'video/mp4',
    durationSeconds: 4,
  });
});

test('the field of the address has the name in force', async (t) => {
  const harness = openHarness(t);
  const { id } = (await harness.submit(departure)).data;
  await harness.making[0]!.finish();
  harness.setNames({ announcement_download_url: 'video' });
  assert.deepEqual(Object.keys((await harness.check(id, '?filter=status')).data), ['status', 'video']);
});

test('an announcement whose video cannot be made has failed, and its status says why', async (t) => {
  const harness = openHarness(t);
  const { id } = (await harness.submit(departure)).data;
  await harness.making[0]!.fail(new EncodeError('the encoder is out of order'));
  const { status, body } = await harness.check(id, '?filter=status');
  assert.equal(status, 200);
  assert.deepEqual(body, failed('the encoder is out of order'));
});

test('an answer does not contain an internal error', async (t) => {
  const harness = openHarness(t);
  const log = mock.method(console, 'error', () => {});
  t.after(() => log.mock.restore());
  const { id } = (await harness.submit(departure)).data;
  await harness.making[0]!.fail(new Error('/secret/path'));
  assert.deepEqual((await harness.check(id, '?filter=status')).body, failed('the sandbox failed'));
  assert.equal(log.mock.callCount(), 1);
});

test('a fault makes accepted announcements fail, as often as its count says', async (t) => {
  const harness = openHarness(t);
  harness.setFaults([{ fault: 'announcement_fails', error_log: 'no signer is free', count: 1 }]);
  const first = (await harness.submit(departure)).data['id'];
  const second = (await harness.submit(departure)).data['id'];
  assert.deepEqual((await harness.check(first, '?filter=status')).body, failed('no signer is free'));
  assert.equal((await harness.check(second, '?filter=status')).data['status'], 'IN_PROGRESS');
});

test('two videos are made at a time, first come, first served', async (t) => {
  const harness = openHarness(t);
  for (const destination of ['LDS', 'YRK', 'EDB', 'KGX']) await harness.submit({ destination });
  assert.equal(harness.making.length, 2);
  await harness.making[1]!.finish();
  await harness.making[0]!.fail(new EncodeError('no'));
  assert.deepEqual(
    harness.making.map(({ spec }) => spec.text),
    ['Leeds', 'York', 'Edinburgh', 'London Kings Cross'].map((name) => `This is the service to ${name}.`),
  );
});

test('an announcement beyond 1,000 waiting ones has failed', async (t) => {
  const harness = openHarness(t);
  const said = { destination: { crs: 'LDS', name: 'Leeds' } };
  const ids = Array.from({ length: 1003 }, () => harness.announcements.submit(said, {}));
  const statuses = ids.map((id) => harness.announcements.find(id)?.outcome.status);
  assert.deepEqual(statuses.slice(-2), ['IN_PROGRESS', 'FAILED']);
});

const styles: readonly (readonly [
  bgColour: string | undefined,
  backdrop: string | null,
  codec: string,
  container: string,
])[] = [
  [undefined, null, 'h264', 'mp4'],
  ['18,52,255', '#1234ff', 'h264', 'mp4'],
  ['-1,-1,-1', 'transparent', 'vp9', 'webm'],
];
test('bgColour decides the backdrop, and with it codec and container; the video is 720p, signed by RAE', (t) =>
  eachCase(styles, async ([bgColour, backdrop, codec, container]) => {
    const harness = openHarness(t);
    await harness.submit({ ...departure, ...(bgColour === undefined ? {} : { bgColour }) });
    const { spec } = harness.making[0]!;
    assert.deepEqual([spec.codec, spec.container, spec.style.backdrop], [codec, container, backdrop]);
    assert.deepEqual([spec.style.signer, spec.style.width, spec.style.height], ['RAE', 1280, 720]);
  }));

test('announcements are kept for 24 hours, the newest 10,000', (t) => {
  const { announcements, clock } = openHarness(t);
  const said = { destination: { crs: 'LDS', name: 'Leeds' } };
  const first = announcements.submit(said, {});
  clock.advance(DAY - 1);
  assert.ok(announcements.find(first));
  clock.advance(1);
  assert.equal(announcements.find(first), null);
  const ids = Array.from({ length: 10_001 }, () => announcements.submit(said, {}));
  assert.equal(announcements.find(ids[0]!), null);
  assert.ok(announcements.find(ids[1]!));
});

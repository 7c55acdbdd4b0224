// The life of an announcement over the API: submitted, in progress, completed or failed.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { EncodeError } from '../../../demo/sandbox/media/media-spec.ts';
import { openDesk } from './desk.ts';
import { eachCase } from '../each-case.ts';

const failed = (errorLog: unknown) => ({ data: { status: 'FAILED', errorLog } });
const departure = { destination: 'LDS', timing: '1432', platform: '4' };
const DAY = 24 * 3600 * 1000;

test('an accepted announcement is in progress until its video is made, then it has a signed address', async (t) => {
  const desk = openDesk(t);
  const submitted = await desk.submit(departure);
  assert.equal(submitted.status, 200);
  assert.deepEqual(Object.keys(submitted.body), ['data']);
  assert.deepEqual(Object.keys(submitted.data), ['id']);
  const { id } = submitted.data;
  assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);

  assert.deepEqual((await desk.check(id, '?filter=status')).body, { data: { status: 'IN_PROGRESS' } });
  await desk.making[0]!.finish();
  const expires = desk.clock.now() + 300_000;
  const { status, body } = await desk.check(id, '?filter=status');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    data: { status: 'COMPLETED', downloadUrl: `http://media.test/clips/one.mp4?expires=${expires}` },
  });
});

test('the address is signed anew each time it is asked for', async (t) => {
  const desk = openDesk(t);
  const { id } = (await desk.submit(departure)).data;
  await desk.making[0]!.finish();
  const before = (await desk.check(id)).data['downloadUrl'];
  desk.clock.advance(1000);
  assert.notEqual((await desk.check(id)).data['downloadUrl'], before);
});

test('without the filter there is the request and what is signed, too', async (t) => {
  const desk = openDesk(t);
  const created = new Date(desk.clock.now()).toISOString();
  const { id } = (await desk.submit(departure)).data;
  const known = {
    id,
    createdAt: created,
    request: departure,
    text: 'The 14 32 service to Leeds will depart from platform 4.',
  };
  assert.deepEqual((await desk.check(id)).data, { ...known, status: 'IN_PROGRESS' });
  await desk.making[0]!.finish();
  const expires = desk.clock.now() + 300_000;
  assert.deepEqual((await desk.check(id)).data, {
    ...known,
    status: 'COMPLETED',
    downloadUrl: `http://media.test/clips/one.mp4?expires=${expires}`,
    expiresAt: new Date(expires).toISOString(),
    mimeType: 'video/mp4',
    durationSeconds: 4,
  });
});

test('the name of the address is the one in force', async (t) => {
  const desk = openDesk(t);
  const { id } = (await desk.submit(departure)).data;
  await desk.making[0]!.finish();
  desk.setNames({ announcement_download_url: 'video' });
  assert.deepEqual(Object.keys((await desk.check(id, '?filter=status')).data), ['status', 'video']);
});

test('an announcement whose video cannot be made has failed, and says why', async (t) => {
  const desk = openDesk(t);
  const { id } = (await desk.submit(departure)).data;
  await desk.making[0]!.fail(new EncodeError('the encoder is out of order'));
  const { status, body } = await desk.check(id, '?filter=status');
  assert.equal(status, 200);
  assert.deepEqual(body, failed('the encoder is out of order'));
});

test('what went wrong inside is not told', async (t) => {
  const desk = openDesk(t);
  const log = mock.method(console, 'error', () => {});
  t.after(() => log.mock.restore());
  const { id } = (await desk.submit(departure)).data;
  await desk.making[0]!.fail(new Error('/secret/path'));
  assert.deepEqual((await desk.check(id, '?filter=status')).body, failed('the sandbox failed'));
  assert.equal(log.mock.callCount(), 1);
});

test('a fault makes accepted announcements fail, as often as it was asked to', async (t) => {
  const desk = openDesk(t);
  desk.setFaults([{ fault: 'announcement_fails', error_log: 'no signer is free', count: 1 }]);
  const first = (await desk.submit(departure)).data['id'];
  const second = (await desk.submit(departure)).data['id'];
  assert.deepEqual((await desk.check(first, '?filter=status')).body, failed('no signer is free'));
  assert.equal((await desk.check(second, '?filter=status')).data['status'], 'IN_PROGRESS');
});

test('two videos are made at a time, first come, first served', async (t) => {
  const desk = openDesk(t);
  for (const destination of ['LDS', 'YRK', 'EDB', 'KGX']) await desk.submit({ destination });
  assert.equal(desk.making.length, 2);
  await desk.making[1]!.finish();
  await desk.making[0]!.fail(new EncodeError('no'));
  assert.deepEqual(
    desk.making.map(({ spec }) => spec.text),
    ['Leeds', 'York', 'Edinburgh', 'London Kings Cross'].map((name) => `This is the service to ${name}.`),
  );
});

test('one more than 1,000 that wait has failed', async (t) => {
  const desk = openDesk(t);
  const said = { destination: { crs: 'LDS', name: 'Leeds' } };
  const ids = Array.from({ length: 1003 }, () => desk.announcements.submit(said, {}));
  const statuses = ids.map((id) => desk.announcements.find(id)?.outcome.status);
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
    const desk = openDesk(t);
    await desk.submit({ ...departure, ...(bgColour === undefined ? {} : { bgColour }) });
    const { spec } = desk.making[0]!;
    assert.deepEqual([spec.codec, spec.container, spec.style.backdrop], [codec, container, backdrop]);
    assert.deepEqual([spec.style.signer, spec.style.width, spec.style.height], ['RAE', 1280, 720]);
  }));

test('announcements are kept for 24 hours, the newest 10,000', (t) => {
  const { announcements, clock } = openDesk(t);
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

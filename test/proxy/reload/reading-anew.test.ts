// What the program does while it reads its files again (SIGHUP), which takes long for many sites and for ever on a hanging disk.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { makeHanging, whenLeft, whenRead } from '../hanging-file.ts';
import { addressOf, run } from '../program.ts';

const fileOf = (...names: string[]): string =>
  JSON.stringify({ sites: names.map((name) => ({ name, origins: [`https://${name}.example`] })) });

async function running(t: TestContext) {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  upstream.status = 200;
  const folder = temporaryFolder();
  const file = join(folder, 'sites.json');
  writeFileSync(file, fileOf('one'));
  const program = run(t, { PORT: '0', SIGN_API_URL: upstream.url, SIGN_SITES: file });
  const { host, origin } = await addressOf(program);
  const statusFor = async (site: string): Promise<number> =>
    (await fetch(`${origin}/sign/v1/status/job`, { headers: { Origin: `https://${site}.example` } })).status;
  return { upstream, file, program, host, statusFor };
}

/** Sends SIGHUP while the disk of the file hangs, and waits until the program reads it. */
function readsHanging({ file, program }: Awaited<ReturnType<typeof running>>): ReturnType<typeof whenRead> {
  makeHanging(file);
  program.kill('SIGHUP');
  return whenRead(file);
}

test('sockets and requests are served while the file of sites is being read, and then the new sites', async (t) => {
  const all = await running(t);
  const { upstream, program, host, statusFor } = all;
  const client = await openClient(`ws://${host}/sign/ws/`, { Origin: 'https://one.example' });
  client.socket.send(SESSION_START);
  const session = await upstream.sessions.next();
  await session.frames.next();
  const release = await readsHanging(all);
  client.socket.send('{"type":"ping"}');
  assert.equal((await session.frames.next()).text, '{"type":"ping"}');
  assert.deepEqual([await statusFor('one'), await statusFor('two')], [200, 403]);
  release(fileOf('one', 'two'));
  await program.logged('sites read anew');
  assert.deepEqual([await statusFor('one'), await statusFor('two')], [200, 200]);
});

test('a SIGHUP while files are being read reads them once more, so that the last file counts', async (t) => {
  const all = await running(t);
  const { file, program, statusFor } = all;
  const release = await readsHanging(all);
  rmSync(file);
  writeFileSync(file, fileOf('one', 'three'));
  program.kill('SIGHUP');
  release(fileOf('one', 'two'));
  await program.logged('sites read anew');
  await program.logged('sites read anew');
  assert.deepEqual([await statusFor('two'), await statusFor('three')], [403, 200]);
});

test('a SIGHUP while the program reads its files at its start reads them once more, and does not end it', async (t) => {
  const folder = temporaryFolder();
  const file = join(folder, 'sites.json');
  makeHanging(file);
  const program = run(t, { PORT: '0', SIGN_API_URL: 'http://127.0.0.1:1', SIGN_SITES: file });
  const release = await whenRead(file);
  program.kill('SIGHUP');
  rmSync(file);
  writeFileSync(file, fileOf('two'));
  release(fileOf('one'));
  await addressOf(program);
  assert.match(await program.logged('sites read anew'), /"sites":\["two"\]/);
});

test('the program stops waiting for a hanging file after 20 s, logs it, and obeys the next SIGHUP', async (t) => {
  const all = await running(t);
  const { file, program, statusFor } = all;
  const release = await readsHanging(all);
  t.after(() => release());
  assert.match(await program.logged('not read anew'), /took more than 20 s/);
  rmSync(file);
  writeFileSync(file, fileOf('two'));
  program.kill('SIGHUP');
  await program.logged('sites read anew');
  assert.deepEqual([await statusFor('one'), await statusFor('two')], [403, 200]);
});

test('the program ends with 0 while a file is being read', async (t) => {
  const all = await running(t);
  const release = await readsHanging(all);
  t.after(() => release());
  all.program.kill('SIGTERM');
  assert.equal(await all.program.exited, 0);
});

test('when the program was killed, no process of it goes on reading a hanging file', async (t) => {
  const all = await running(t);
  const release = await readsHanging(all);
  t.after(() => release());
  all.program.kill('SIGKILL');
  await all.program.exited;
  await whenLeft(all.file);
});

// What the program does while it reads its files anew (SIGHUP), which takes long for many sites and for ever on a disk that hangs.
// - Such a disk is a named pipe: who reads it waits until somebody has written it to its end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '../until.ts';
import { openClient, SESSION_START } from './client-socket.ts';
import { fakeUpstream } from './fake-upstream.ts';
import { addressOf, run } from './program.ts';

const fileOf = (...names: string[]): string =>
  JSON.stringify({ sites: names.map((name) => ({ name, origins: [`https://${name}.example`] })) });

async function running(t: TestContext) {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  upstream.status = 200;
  const folder = mkdtempSync(join(tmpdir(), 'sign-sites-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sites.json');
  writeFileSync(file, fileOf('one'));
  const program = run(t, { PORT: '0', SIGN_API_URL: upstream.url, SIGN_SITES: file });
  const { host, origin } = await addressOf(program);
  const statusFor = async (site: string): Promise<number> =>
    (await fetch(`${origin}/sign/v1/status/job`, { headers: { Origin: `https://${site}.example` } })).status;
  return { upstream, file, program, host, statusFor };
}

/** Sends SIGHUP while the file is a pipe; returns its writing end once the program reads it. */
async function readsPipe({ file, program }: Awaited<ReturnType<typeof running>>): Promise<number> {
  rmSync(file);
  execFileSync('mkfifo', [file]);
  program.kill('SIGHUP');
  let pipe = -1;
  await until(() => {
    try {
      pipe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      // ENXIO: nobody reads it yet.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    return pipe >= 0;
  });
  return pipe;
}

test('sockets and requests are served while the file of sites is being read, and then the new sites', async (t) => {
  const all = await running(t);
  const { upstream, program, host, statusFor } = all;
  const client = await openClient(`ws://${host}/sign/ws/`, { Origin: 'https://one.example' });
  client.socket.send(SESSION_START);
  const session = await upstream.sessions.next();
  await session.frames.next();
  const pipe = await readsPipe(all);
  client.socket.send('{"type":"ping"}');
  assert.equal((await session.frames.next()).text, '{"type":"ping"}');
  assert.deepEqual([await statusFor('one'), await statusFor('two')], [200, 403]);
  writeSync(pipe, fileOf('one', 'two'));
  closeSync(pipe);
  await program.logged('sites read anew');
  assert.deepEqual([await statusFor('one'), await statusFor('two')], [200, 200]);
});

test('a SIGHUP while files are being read reads them once more, so that the last file counts', async (t) => {
  const all = await running(t);
  const { file, program, statusFor } = all;
  const pipe = await readsPipe(all);
  rmSync(file);
  writeFileSync(file, fileOf('one', 'three'));
  program.kill('SIGHUP');
  writeSync(pipe, fileOf('one', 'two'));
  closeSync(pipe);
  await program.logged('sites read anew');
  await program.logged('sites read anew');
  assert.deepEqual([await statusFor('two'), await statusFor('three')], [403, 200]);
});

test('the program ends with 0 while a file is being read', async (t) => {
  const all = await running(t);
  const pipe = await readsPipe(all);
  t.after(() => closeSync(pipe));
  all.program.kill('SIGTERM');
  assert.equal(await all.program.exited, 0);
});

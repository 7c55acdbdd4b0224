// sign-prepare on a disk that fills while it writes, and on one that is read-only: a file system in memory, mounted for this
// program alone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { temporaryFolder } from '../../temporary-folder.ts';
import { manifestIn, openService, type Ran, run } from './prepare-harness.ts';

/** Mounts a small file system at `$0`, runs the program, and copies its files, because the mount ends with this shell. */
const onSmallDisk = `
  mount -t tmpfs -o size=256k tmpfs "$0"
  "$@"
  status=$?
  cp -a "$0/." "$COPY"
  exit $status
`;
/** Mounts a read-only copy of `$COPY` at `$0`, and runs the program. */
const onReadOnlyDisk = `
  mount -t tmpfs tmpfs "$0"
  cp -a "$COPY/." "$0"
  mount -o remount,ro "$0"
  "$@"
`;
/** A user who is not root may mount in a user namespace. */
const unshare = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];

const service = await openService({ after });
const texts = Array.from({ length: 40 }, (_, i) => `Platform number ${i} is closed today.`);

/** Runs the built program in a shell that mounts something at `disk` first. */
async function runOn(shell: string, disk: string, copy: string, ...args: string[]): Promise<Ran> {
  const program = [process.execPath, 'dist/proxy/sign-prepare.js', ...args];
  const { apiUrl, apiKey } = service.addresses;
  const env = { ...process.env, SIGN_API_URL: apiUrl, SIGN_API_KEY: apiKey, COPY: copy };
  const child = spawn('unshare', [...unshare, 'sh', '-c', shell, disk, ...program], { env });
  let [printed, warned] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (warned += text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, printed, warned };
}

test('on a full disk the run names the file and ends, the kept files are whole, and the next run goes on', async () => {
  const [folder, disk, copy] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const list = join(folder, 'texts.txt');
  writeFileSync(list, texts.join('\n'));
  const { status, warned } = await runOn(onSmallDisk, disk, copy, '--out', disk, list);
  assert.equal(status, 1, warned);
  assert.match(warned, /^sign-prepare: .*\.(mp4|json) cannot be written \(ENOSPC\)$/m);

  const files = readdirSync(copy, { recursive: true }) as string[];
  const clips = files.filter((name) => name.endsWith('.mp4'));
  assert.ok(clips.length > 0 && clips.length < texts.length, `${clips.length} clips were kept`);
  assert.deepEqual(files.filter((name) => !clips.includes(name)).sort(), ['clips', 'signs.json']);

  const rest = await run(['--out', copy, list], service);
  assert.equal(rest.status, 0, rest.warned);
  assert.match(rest.printed, new RegExp(`^${texts.length - clips.length} signed`, 'm'));
  const { texts: all } = manifestIn(copy);
  assert.deepEqual(
    [all.length, all.filter(({ file }) => clips.includes(file)).length],
    [texts.length, clips.length],
  );
});

test('check and list work in a read-only folder; a run that would write to it fails with a message and requests nothing', async (t) => {
  const [folder, disk, copy] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const list = join(folder, 'texts.txt');
  writeFileSync(list, texts[0]!);
  assert.equal((await run(['--out', copy, list], service)).status, 0);
  writeFileSync(list, texts.slice(0, 2).join('\n'));
  const ran = (...args: string[]): Promise<Ran> =>
    runOn(onReadOnlyDisk, disk, copy, ...args, '--out', disk, list);

  const check = await ran('check');
  assert.match(check.printed, /^draft: .*\n^not prepared: .*\n^2 texts, 2 not ready$/m, check.warned);
  assert.match((await ran('prune')).printed, /^0 texts and 0 files would be removed/m);
  service.setFaults([{ fault: 'rest_error', status: 422, operation: 'generate', count: 1 }]);
  t.after(() => service.setFaults([]));
  const { status, printed, warned } = await ran();
  assert.equal(status, 1);
  assert.match(warned, /^sign-prepare: .* cannot be written \(EROFS\)$/m);
  assert.doesNotMatch(printed + warned, / signed/);

  // On a read-only disk nobody can remove the lock that a dead program has left.
  writeFileSync(join(copy, 'prepare.lock'), 'dead');
  utimesSync(join(copy, 'prepare.lock'), 0, 0);
  assert.match(
    (await ran()).warned,
    /prepare\.lock is of a program that has ended, and cannot be removed \(EROFS\)$/m,
  );
});

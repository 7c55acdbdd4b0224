// sign-prepare on a disk that fills while it writes: a small file system in memory, mounted for this program alone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { manifestIn, newFolder, openService, run } from './prepare-stage.ts';

/** Mounts `$0`, runs the rest, and copies what is there before the mount goes with the program. */
const onSmallDisk = `
  mount -t tmpfs -o size=1m tmpfs "$0"
  "$@"
  status=$?
  cp -a "$0/." "$COPY"
  exit $status
`;
/** Who is not root may mount in a name space of users. */
const unshare = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];

const service = await openService({ after });
const texts = Array.from({ length: 40 }, (_, i) => `Platform number ${i} is closed today.`);

test('a full disk ends the run with its name; what is kept is whole, and the next run goes on', async (t) => {
  const [folder, disk, copy] = [newFolder(t), newFolder(t), newFolder(t)];
  const list = join(folder, 'texts.txt');
  writeFileSync(list, texts.join('\n'));
  const program = [process.execPath, 'dist/proxy/sign-prepare.js', '--out', disk, list];
  const { apiUrl, apiKey } = service.addresses;
  const env = { ...process.env, SIGN_API_URL: apiUrl, SIGN_API_KEY: apiKey, COPY: copy };
  const child = spawn('unshare', [...unshare, 'sh', '-c', onSmallDisk, disk, ...program], { env });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const [status] = (await once(child, 'close')) as [number];
  assert.equal(status, 1, said.join(''));
  assert.match(said.join(''), /^sign-prepare: .*\.(mp4|json) cannot be written \(ENOSPC\)$/m);

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

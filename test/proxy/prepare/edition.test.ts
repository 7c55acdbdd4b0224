// The folder of an edition when programs die, are slow or work at the same time, and when files are damaged.
import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { install } from '@sinonjs/fake-timers';
import { Edition } from '../../../proxy/prepare/edition.ts';
import type { PreparedText } from '../../../src/protocol/prepared-manifest.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { manifestIn, openService, openSite, page, run } from './prepare-harness.ts';

const signer = { signer: 'RAE', language: 'BSL', resolution: '720p' };
const service = await openService({ after });
const site = await openSite({ after });
site.files.set('/a', page('Come in.', 'Sit down.'));

const textOf = (number: number): PreparedText => ({
  hash: number.toString(16).padStart(32, '0'),
  text: `Text ${number}.`,
  file: `clips/${number}.mp4`,
  seconds: 1,
  bytes: 1,
  state: 'draft',
  note: '',
  date: '2026-01-01T00:00:00.000Z',
  pages: [],
});

const open = (folder: string): Promise<Edition> => Edition.open(folder, null, signer);

const age = (file: string): void => {
  const hourAgo = new Date(Date.now() - 3_700_000);
  utimesSync(file, hourAgo, hourAgo);
};

async function prepared(): Promise<string> {
  const out = temporaryFolder();
  const { status, warned } = await run(['--out', out, `${site.address}/a`], service);
  assert.equal(status, 0, warned);
  return out;
}

test('programs that change one folder at the same time lose nothing, although a dead one has left its lock', async () => {
  const out = temporaryFolder();
  const lock = join(out, 'signs.json.lock');
  writeFileSync(lock, '');
  age(lock);
  const programs = await Promise.all(Array.from({ length: 20 }, () => open(out)));
  await Promise.all(
    programs.map((edition, number) =>
      edition.update((texts) => texts.set(textOf(number).hash, textOf(number))),
    ),
  );
  assert.equal(manifestIn(out).texts.length, 20);
  assert.deepEqual(readdirSync(out).sort(), ['clips', 'signs.json']);
});

test('a program that was held up while another took its lock begins again with what the other has written', async () => {
  const out = temporaryFolder();
  const [slow, quick] = [await open(out), await open(out)];
  const lock = join(out, 'signs.json.lock');
  let turns = 0;
  let other: Promise<unknown> | undefined;
  await slow.update((texts) => {
    turns += 1;
    if (turns === 1) {
      // As if the machine had slept here.
      age(lock);
      rmSync(lock);
      writeFileSync(lock, 'of the quick one');
      other = quick.update((all) => all.set(textOf(2).hash, textOf(2)));
      setTimeout(() => rmSync(lock), 50);
    }
    texts.set(textOf(1).hash, textOf(1));
  });
  await other;
  assert.equal(turns, 2);
  assert.deepEqual(
    manifestIn(out).texts.map(({ text }) => text),
    ['Text 1.', 'Text 2.'],
  );
});

test('a later run removes unfinished files of a program that died, and keeps files that are being written', async () => {
  const out = await prepared();
  const left = ['signs.json.1.part', 'clips/a.mp4.1.part'].map((name) => join(out, name));
  const written = join(out, 'clips/b.mp4.2.part');
  for (const file of [...left, written]) writeFileSync(file, 'half');
  left.forEach(age);
  const prune = await run(['prune', '--out', out, `${site.address}/a`], service);
  assert.match(prune.printed, /^0 texts and 0 files would be removed/m);
  await run(['--out', out, `${site.address}/a`], service);
  assert.deepEqual(left.filter(existsSync), []);
  assert.ok(existsSync(written));
});

test('a clip that a program had written but not yet renamed when it died is requested again', async () => {
  const out = await prepared();
  const [first, second] = manifestIn(out).texts as [PreparedText, PreparedText];
  const [whole, entered] = [join(out, first.file), join(out, second.file)];
  writeFileSync(`${whole}.1.part`, readFileSync(whole));
  for (const file of [whole, join(out, 'signs.json')]) rmSync(file);
  const ran = await run(['--out', out, `${site.address}/a`], service);
  assert.match(ran.printed, /^1 signed, 1 found/m);
  assert.deepEqual(
    manifestIn(out).texts.map(({ file }) => join(out, file)),
    [whole, entered],
  );
});

test('a lost or incomplete clip is made again as a draft, and check finds a clip that was changed in place', async () => {
  const out = await prepared();
  const edition = await open(out);
  await edition.update((texts) => {
    for (const [hash, text] of texts) texts.set(hash, { ...text, state: 'approved', note: 'Good.' });
  });
  const [first, second] = manifestIn(out).texts as [PreparedText, PreparedText];
  const changed = readFileSync(join(out, first.file));
  changed[changed.length - 5]! ^= 1;
  writeFileSync(join(out, first.file), changed);
  truncateSync(join(out, second.file), 900);
  const check = await run(['check', '--out', out, `${site.address}/a`], service);
  assert.match(check.printed, /2 texts, 2 not ready$/);

  const ran = await run(['--out', out, `${site.address}/a`], service);
  assert.match(ran.printed, /^1 signed, 0 found/m);
  const [kept, again] = manifestIn(out).texts as [PreparedText, PreparedText];
  assert.deepEqual(kept, first);
  assert.deepEqual([again.state, again.note], ['draft', 'The previous clip was lost.']);
  assert.ok(await edition.readClip(again.file));
});

test('a lost video of a person is reported, and nothing is signed in its place', async () => {
  const out = await prepared();
  const edition = await open(out);
  const [first] = manifestIn(out).texts as [PreparedText];
  await edition.update((texts) => texts.set(first.hash, { ...first, state: 'replaced' }));
  rmSync(join(out, first.file));
  const ran = await run(['--out', out, `${site.address}/a`], service);
  assert.equal(ran.status, 1);
  assert.equal(ran.warned, `its video by a person is lost: ${JSON.stringify(first.text)}`);
  assert.match(ran.printed, /^0 signed/m);
});

test('a malicious edition is refused, and is not changed', async () => {
  const out = await prepared();
  const file = join(out, 'signs.json');
  const good = readFileSync(file, 'utf8');
  const firstHash = manifestIn(out).texts[0]!.hash;
  const said = async (change: object): Promise<string> => {
    const manifest = JSON.parse(good) as { texts: object[] };
    manifest.texts[1] = { ...manifest.texts[1], ...change };
    const bad = JSON.stringify(manifest);
    writeFileSync(file, bad);
    const { status, warned } = await run(['--out', out, `${site.address}/a`], service);
    assert.equal(status, 1);
    assert.equal(readFileSync(file, 'utf8'), bad);
    return warned.replace(/^.* is not an edition: /, '');
  };
  const bad = [
    ...['../../etc/passwd', '/etc/passwd', 'javascript:alert(1)', 'https://evil.example/a.mp4', 'a\\b.mp4'],
    ...['//evil.example/a.mp4', 'clips/%2e%2e/a.mp4', 'clips/a.mp4?b', ''],
  ];
  for (const path of bad) {
    assert.equal(await said({ file: path }), 'texts[1] is not complete');
    assert.equal(await said({ before: path }), 'texts[1] is not complete');
  }
  for (const change of [
    { pages: 'a' },
    { pages: [1] },
    { note: {} },
    { date: 'soon' },
    { hash: '__proto__' },
  ])
    assert.equal(await said(change), 'texts[1] is not complete');
  assert.equal(await said({ hash: firstHash }), 'two texts have the same hash');
});

test('a lock with a date in the future, and one that is a broken link, stop no run', async (t) => {
  const out = temporaryFolder();
  const lock = join(out, 'signs.json.lock');
  const edition = await open(out);
  const clock = install({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const changed = async (number: number): Promise<void> => {
    const change = edition.update((texts) => texts.set(textOf(number).hash, textOf(number)));
    let isDone = false;
    void change.then(() => (isDone = true));
    while (!isDone) {
      await clock.tickAsync(20);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  writeFileSync(lock, '');
  const nextYear = new Date(Date.now() + 3e10);
  utimesSync(lock, nextYear, nextYear);
  await changed(1);
  symlinkSync(join(out, 'nowhere'), lock);
  await changed(2);
  assert.equal(manifestIn(out).texts.length, 2);
  assert.deepEqual(readdirSync(out).sort(), ['clips', 'signs.json']);
});

test('prune removes unknown clips, and keeps other files and a paid clip that is not listed yet', async () => {
  const out = await prepared();
  const [first, second] = manifestIn(out).texts as [PreparedText, PreparedText];
  // As after a kill: the clip is there and not in the list.
  const edition = await open(out);
  await edition.update((texts) => texts.delete(first.hash));
  const other = join(out, 'clips/README.txt');
  writeFileSync(other, 'Ours.');
  writeFileSync(join(out, `clips/${'0'.repeat(32)}.mp4`), 'of nobody');
  await run(['prune', '--yes', '--out', out, `${site.address}/a`], service);
  assert.deepEqual(
    readdirSync(join(out, 'clips'))
      .map((name) => `clips/${name}`)
      .sort(),
    ['clips/README.txt', first.file, second.file].sort(),
  );
});

test('a list that has not changed is not written again', async () => {
  const out = await prepared();
  const file = join(out, 'signs.json');
  age(file);
  const before = statSync(file).mtimeMs;
  await run(['--out', out, `${site.address}/a`], service);
  assert.equal(statSync(file).mtimeMs, before);
});

test('of two programs that prepare one folder the second waits, and requests nothing that the first has requested', async () => {
  const out = temporaryFolder();
  const both = await Promise.all([1, 2].map(() => run(['--out', out, `${site.address}/a`], service)));
  assert.deepEqual(both.map(({ printed }) => /\d+ signed/.exec(printed)![0]).sort(), [
    '0 signed',
    '2 signed',
  ]);
  assert.equal(both.filter(({ warned }) => /is at work in this folder/.test(warned)).length, 1);
  assert.deepEqual(readdirSync(out).sort(), ['clips', 'signs.json']);
});

test('a text may be the name of a property that every object has', async () => {
  const out = temporaryFolder();
  site.files.set('/p', page('__proto__', 'constructor', 'toString'));
  const ran = await run(['--out', out, `${site.address}/p`], service);
  assert.match(ran.printed, /^3 signed/m);
  assert.equal(manifestIn(out).texts.length, 3);
});

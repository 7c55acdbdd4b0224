// What reviewers do with an edition, through the server of the review page, and what it refuses.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import test, { after, type TestContext } from 'node:test';
import { Edition } from '../../../proxy/prepare/edition.ts';
import { serveReview, type ReviewServer } from '../../../proxy/prepare/review-server.ts';
import { signPrepare } from '../../../proxy/prepare/sign-prepare.ts';
import { signTextWith } from '../../../proxy/prepare/sign-text.ts';
import type { PreparedText } from '../../../src/protocol/prepared-manifest.ts';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { changed } from '../../playback/mp4/box-tree.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { manifestIn, openService, openSite, page, run } from './prepare-harness.ts';

const service = await openService({ after });
const site = await openSite({ after });
site.files.set('/a', page('Come in.', 'Sit down.'));

/** An edition of two drafts, with the review pages of two reviewers. */
async function reviewers(
  t: TestContext,
): Promise<{ out: string; pages: ReviewServer[]; signed: readonly string[] }> {
  const out = temporaryFolder();
  const signed: string[] = [];
  await run(['--out', out, `${site.address}/a`], service);
  const open = async (): Promise<ReviewServer> => {
    const edition = await Edition.open(out, null);
    const { apiUrl, apiKey } = service.addresses;
    const sign = signTextWith({ apiUrl, apiKey }, edition.manifest);
    const review = await serveReview(edition, (text, signal) => (signed.push(text), sign(text, signal)), 0);
    t.after(() => review.close());
    return review;
  };
  return { out, pages: [await open(), await open()], signed };
}

async function post(
  { address }: ReviewServer,
  path: string,
  { hash, date }: PreparedText,
  body: object,
  origin = address.slice(0, -1),
): Promise<{ status: number; answer: PreparedText & { error?: string; now?: PreparedText } }> {
  const query = new URLSearchParams({ hash, date });
  const response = await fetch(`${address}${path}?${query}`, {
    method: 'POST',
    headers: { origin },
    body: body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as PreparedText };
}

const textIn = (out: string, words: string): PreparedText =>
  manifestIn(out).texts.find(({ text }) => text === words)!;

test('two reviewers judge texts of one folder at once, and neither overwrites the other', async (t) => {
  const { out, pages } = await reviewers(t);
  const [first, second] = pages as [ReviewServer, ReviewServer];
  const [come, sit] = [textIn(out, 'Come in.'), textIn(out, 'Sit down.')];
  const both = await Promise.all([
    post(first, 'judge', come, { state: 'approved', note: '' }),
    post(second, 'judge', sit, { state: 'rejected', note: 'The sign for sit is unclear.' }),
  ]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(textIn(out, 'Come in.').state, 'approved');
  assert.equal(textIn(out, 'Sit down.').note, 'The sign for sit is unclear.');

  const late = await post(second, 'judge', come, { state: 'rejected', note: 'No.' });
  assert.equal(late.status, 409);
  assert.equal(late.answer.now?.state, 'approved');
  assert.equal(textIn(out, 'Come in.').state, 'approved');
});

test('other words for a text are signed, and the text is a draft again, with the previous clip to compare', async (t) => {
  const { out, pages } = await reviewers(t);
  const sit = textIn(out, 'Sit down.');
  const { status } = await post(pages[0]!, 'reword', sit, { wording: 'Please take a chair.' });
  assert.equal(status, 200);
  const now = textIn(out, 'Sit down.');
  assert.deepEqual([now.wording, now.state, now.before], ['Please take a chair.', 'draft', sit.file]);
  assert.notEqual(now.file, sit.file);
  const clip = await fetch(pages[0]!.address + now.file);
  assert.equal((await clip.arrayBuffer()).byteLength, now.bytes);
});

test('the same words are signed again, and the request of a reviewer who is too late is not signed', async (t) => {
  const { out, pages, signed } = await reviewers(t);
  const sit = textIn(out, 'Sit down.');
  const words = { wording: 'Please take a chair.' };
  await post(pages[0]!, 'reword', sit, words);
  const first = textIn(out, 'Sit down.');
  const late = await post(pages[1]!, 'reword', sit, words);
  assert.equal(late.status, 409);
  assert.equal(signed.length, 1);
  assert.equal((await post(pages[1]!, 'reword', first, words)).status, 200);
  assert.deepEqual(signed, [words.wording, words.wording]);
  assert.equal(textIn(out, 'Sit down.').before, first.file);
});

test('a video by a person takes the place of a clip, with its index in front; another file is refused', async (t) => {
  const { out, pages } = await reviewers(t);
  const sit = textIn(out, 'Sit down.');
  const clip = readFileSync(join(out, textIn(out, 'Come in.').file));
  const video = changed(clip, (boxes) => {
    const index = boxes.findIndex(({ type }) => type === 'moov');
    boxes.push(...boxes.splice(index, 1));
  });
  const { status } = await post(pages[0]!, 'replace', sit, video);
  assert.equal(status, 200);
  const now = textIn(out, 'Sit down.');
  assert.deepEqual([now.state, now.before], ['replaced', sit.file]);
  const kept = readFileSync(join(out, now.file));
  assert.ok(kept.indexOf('moov') < kept.indexOf('mdat'));
  assert.equal(remux(kept).frames, remux(video).frames);

  const cut = await post(
    pages[0]!,
    'replace',
    textIn(out, 'Come in.'),
    video.subarray(0, video.length - 500),
  );
  assert.equal(cut.status, 400);
  assert.match(cut.answer.error!, /^this file cannot be used: it is cut off or damaged/);
  assert.equal(textIn(out, 'Come in.').state, 'draft');
});

test('a video by a person stays in place when it is rejected and approved, and a reviewer can go back to the previous clip', async (t) => {
  const { out, pages } = await reviewers(t);
  const [review] = pages as [ReviewServer];
  const [sit, come] = [textIn(out, 'Sit down.'), textIn(out, 'Come in.')];
  const after = async (path: string, body: object): Promise<unknown[]> => {
    const { status } = await post(review, path, textIn(out, 'Sit down.'), body);
    const { state, file, wording } = textIn(out, 'Sit down.');
    return [status, state, file === sit.file, wording];
  };
  assert.deepEqual(await after('replace', readFileSync(join(out, come.file))), [
    ...[200, 'replaced', false, undefined],
  ]);
  assert.deepEqual(await after('judge', { state: 'rejected', note: 'No.' }), [
    200,
    'rejected',
    false,
    undefined,
  ]);
  assert.deepEqual(await after('judge', { state: 'approved', note: '' }), [
    200,
    'replaced',
    false,
    undefined,
  ]);
  assert.deepEqual(await after('restore', {}), [200, 'draft', true, undefined]);
  assert.deepEqual(await after('restore', {}), [200, 'draft', false, undefined]);
  assert.deepEqual(await after('restore', {}), [200, 'draft', true, undefined]);
  const words = 'Please take a chair.';
  assert.deepEqual(await after('reword', { wording: words }), [200, 'draft', false, words]);
  assert.deepEqual(await after('restore', {}), [200, 'draft', true, undefined]);
  // The words of that clip are no longer known.
  assert.deepEqual(await after('restore', {}), [400, 'draft', true, undefined]);
  const none = await post(review, 'restore', come, {});
  assert.equal(none.answer.error, 'there is no previous clip');
});

test('the list is sent only when it has changed, and an order only for a page of the edition', async (t) => {
  const { out, pages } = await reviewers(t);
  const { address } = pages[0]!;
  const list = (tag: string): Promise<Response> =>
    fetch(`${address}signs.json`, { headers: { 'if-none-match': tag } });
  const tag = (await list('')).headers.get('etag')!;
  assert.equal((await list(tag)).status, 304);
  await post(pages[1]!, 'judge', textIn(out, 'Come in.'), { state: 'approved', note: '' });
  assert.equal((await list(tag)).status, 200);

  const stop = new AbortController();
  const printed: string[] = [];
  let tell = (): void => {};
  const started = new Promise<void>((resolve) => (tell = resolve));
  const review = signPrepare(['review', '--out', out], {
    env: {},
    print: (line) => (printed.push(line), tell()),
    warn: () => {},
    progress: { reading: () => {}, show: () => {}, end: () => {} },
    stop: stop.signal,
    abort: stop.signal,
  });
  await started;
  const at = printed[0]!.replace('review: ', '');
  const order = async (page: string): Promise<unknown> =>
    (await fetch(`${at}order?${new URLSearchParams({ page })}`)).json();
  assert.deepEqual(
    await order(`${site.address}/a`),
    ['Come in.', 'Sit down.'].map((words) => textIn(out, words).hash),
  );
  assert.deepEqual(await order(`${site.address}/b`), { error: 'no page of this edition' });
  const { port } = new URL(at);
  const second = await run(['review', '--out', out, '--port', port], service);
  assert.equal(second.status, 2);
  assert.match(second.warned, new RegExp(`^sign-prepare: --port ${port} cannot be opened \\(EADDRINUSE\\)`));
  stop.abort();
  assert.equal(await review, 0);
});

test('the answer to a file that is too large comes when all of it was sent, and names its size', async (t) => {
  const { out, pages } = await reviewers(t);
  const { status, answer } = await post(
    pages[0]!,
    'replace',
    textIn(out, 'Come in.'),
    new Uint8Array(257_000_000),
  );
  assert.deepEqual([status, answer.error], [400, 'this file has 257 MB, and a clip at most 256']);
});

test('a clip is served in byte ranges, as Safari requests it', async (t) => {
  const { out, pages } = await reviewers(t);
  const { file, bytes } = textIn(out, 'Come in.');
  const ask = async (range: string): Promise<unknown[]> => {
    const response = await fetch(pages[0]!.address + file, { headers: { range } });
    const { byteLength } = await response.arrayBuffer();
    return [response.status, response.headers.get('content-range'), byteLength];
  };
  assert.deepEqual(await ask('bytes=0-1'), [206, `bytes 0-1/${bytes}`, 2]);
  assert.deepEqual(await ask('bytes=10-'), [206, `bytes 10-${bytes - 1}/${bytes}`, bytes - 10]);
  assert.deepEqual(await ask(`bytes=${bytes}-`), [200, null, bytes]);
});

test('no other page and no other name of this machine can use the review server', async (t) => {
  const { out, pages } = await reviewers(t);
  const { port } = new URL(pages[0]!.address);
  const { hash, date } = textIn(out, 'Come in.');
  const ask = async (path: string, headers: OutgoingHttpHeaders, method = 'GET'): Promise<string> => {
    const asked = request({ host: '127.0.0.1', port, path, headers, method });
    asked.end(JSON.stringify({ state: 'approved', note: '' }));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return `${response.statusCode} ${response.headers['cross-origin-resource-policy']}`;
  };
  const here = `127.0.0.1:${port}`;
  const judge = `/judge?${new URLSearchParams({ hash, date })}`;
  // A host name of an attacker that resolves to this machine (DNS rebinding).
  for (const host of [`evil.example:${port}`, '127.0.0.1', `127.0.0.1.evil.example:${port}`])
    assert.equal(await ask('/signs.json', { host }), '403 same-origin');
  // A form or a script of another page, and one of a frame without an origin.
  for (const origin of ['https://evil.example', 'null', `http://localhost:${port}`, `https://${here}`])
    assert.equal(await ask(judge, { host: here, origin }, 'POST'), '403 same-origin');
  assert.equal(await ask(judge, { host: here }, 'POST'), '403 same-origin');
  assert.equal(await ask(judge, { host: here, origin: `http://${here}` }, 'PUT'), '405 same-origin');
  const foreign = { host: here, 'sec-fetch-site': 'cross-site' };
  assert.equal(await ask('/signs.json', foreign), '403 same-origin');
  for (const path of [
    '//',
    '/clips/../signs.json.lock',
    '/clips/%2e%2e/%2e%2e/etc/passwd',
    '/review.ts',
    '/http:',
  ])
    assert.match(await ask(path, { host: here }), /^40[04] same-origin$/);
  assert.equal(textIn(out, 'Come in.').state, 'draft');
});

test('an invalid judgement is refused with its reason, and so is a request from elsewhere', async (t) => {
  const { out, pages } = await reviewers(t);
  const [review] = pages as [ReviewServer];
  const come = textIn(out, 'Come in.');
  const said = async (path: string, body: object, origin?: string): Promise<string> => {
    const { status, answer } = await post(review, path, come, body, origin);
    return `${status} ${answer.error}`;
  };
  assert.equal(await said('judge', { state: 'rejected', note: ' ' }), '400 a rejection needs a reason');
  assert.equal(
    await said('judge', { state: 'replaced', note: '' }),
    '400 state is none of draft, approved, rejected',
  );
  assert.equal(await said('reword', { wording: '' }), '400 wording is empty');
  assert.equal(
    await said('judge', { state: 'approved', note: '' }, 'https://evil.example'),
    '403 another origin',
  );
  const file = await fetch(`${review.address}clips/..%2fsigns.json`);
  assert.equal(file.status, 404);
  writeFileSync(join(out, 'signs.json'), '{');
  assert.match(await said('judge', { state: 'approved', note: '' }), /^500 .*signs\.json is not an edition/);
});

// The pages of a CDN in front of the proxy, with the statuses 520 to 530 that Cloudflare has for an origin that fails.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';
import { clientHarness, download, sessionHarness, watched } from './rest-harness.ts';

test('a text with a job waits while a CDN answers with a page of its own that it does not reach the proxy', async () => {
  for (const status of [520, 521, 522, 523, 524, 525, 526, 530]) {
    const { proxy, clock, session } = sessionHarness();
    const call = session.sign('A');
    await promisesSettled();
    await proxy.request('A').answer({ jobId: 'j-1' });
    await clock.advance(1_000);
    assert.ok(proxy.last.path.endsWith('j-1'), 'the job is asked for');
    await proxy.last.answer(`<h1>${status}</h1>`, status, { 'content-type': 'text/html' });
    for (let ms = 0; proxy.last.path !== 'ws/' && ms < 10_000; ms += 250) await clock.advance(250);
    assert.equal(session.state, 'reconnecting', `${status}`);
    await proxy.last.answer({}, 426);
    for (let ms = 0; proxy.last.path !== 'v1/status/j-1' && ms < 10_000; ms += 250) await clock.advance(250);
    await proxy.last.answer({ status: 'completed', downloadUrl: 'https://media.example/a.mp4' });
    assert.equal(await reasonOf(call.result), 'resolved', `${status}`);
  }
});

test('a request is made again after the page of a CDN that could not connect to the proxy, and not after one of a broken connection', async () => {
  for (const [status, ms, posts] of [
    [521, 0, 2],
    [523, 999, 2],
    [530, 0, 2],
    [520, 0, 1],
    [522, 19_000, 1],
    [524, 30_000, 1],
  ] as const) {
    const { proxy, client, clock } = clientHarness(0.5);
    const seen = watched(client.generate(download));
    await promisesSettled();
    await clock.advance(ms);
    await proxy.last.answer(`<h1>${status}</h1>`, status, { 'content-type': 'text/html' });
    assert.equal(seen.error?.code, posts === 1 ? 'proxy_unreachable' : undefined, `${status}`);
    await clock.advance(5_000);
    assert.equal(proxy.texts.length, posts, `${status}`);
  }
});

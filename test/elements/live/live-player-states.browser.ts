// The states and messages of a live player, session state by session state, without a video: look-ups are answered in the page.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { deferred } from '../../../src/session/async.ts';
import { errorsEn } from '../../../src/strings/errors.ts';
import { liveEn } from '../../../src/strings/live.ts';
import { addresses } from '../../backend/client.ts';
import {
  ID,
  LOOKUPS,
  answerLookups,
  json,
  mount,
  openStream,
  refusal,
  said,
  session,
  unmountAll,
  until,
} from './live-harness.ts';
import { frames } from '../on-page.ts';

const { random } = Math;

beforeEach(() => {
  // The jitter neither shortens a wait nor makes a backoff zero.
  Math.random = () => 0;
});
afterEach(async () => {
  Math.random = random;
  await unmountAll();
});

it('is idle without a session or a manifest, and makes no request', async () => {
  const asked = answerLookups(() => json(session()));
  const { player, heard } = mount({});
  await frames(4);
  expect([heard.states, heard.errors, asked, said(player)]).to.deep.equal([[], [], [], '']);
  expect([player.liveSession, player.latency, player.streamType]).to.deep.equal([null, NaN, 'live']);
});

it('an id that is no session id fails without a request', async () => {
  const asked = answerLookups(() => json(session()));
  const { player, heard } = mount({ session: '../../v2/generate' });
  await until(() => heard.states.includes('failed'));
  await player.updateComplete;
  expect(heard.errors.map(({ code }) => code)).to.deep.equal(['invalid_request']);
  expect([asked, said(player)]).to.deep.equal([[], errorsEn.refused]);
});

it('an unknown session fails with not_found and is not looked up again, except by play()', async () => {
  const asked = answerLookups(
    () => refusal('NOT_FOUND', 404),
    () => json(session({ startedAt: undefined })),
  );
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('failed'));
  await player.updateComplete;
  expect(heard.errors.map(({ code, severity }) => [code, severity])).to.deep.equal([
    ['not_found', 'message'],
  ]);
  expect([asked, said(player)]).to.deep.equal([[`/v2/live/sessions/${ID}`], liveEn.notFound]);
  expect(player.shadowRoot!.querySelector('[role=status]')!.textContent).to.equal(liveEn.notFound);
  void player.play();
  await until(() => player.liveSession);
  expect(heard.states).to.deep.equal(['connecting', 'failed', 'connecting']);
});

it('a refusal with a code of the service shows that the video cannot be played', async () => {
  answerLookups(() => refusal('MEDIA_LIVE_NOT_CONFIGURED', 501));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('failed'));
  await player.updateComplete;
  expect(heard.errors.map(({ code }) => code)).to.deep.equal(['MEDIA_LIVE_NOT_CONFIGURED']);
  expect(said(player)).to.equal(errorsEn.media);
});

it('an ended session shows that it has ended, and plays nothing', async () => {
  const asked = answerLookups(() =>
    json(session({ status: 'ended', manifests: { hls: `${LOOKUPS}/a.m3u8` } })),
  );
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('ended'));
  await player.updateComplete;
  expect([heard.states, heard.errors]).to.deep.equal([['connecting', 'ended'], []]);
  expect([said(player), asked.length, player.media]).to.deep.equal([liveEn.ended, 1, null]);
});

it('a session that has ended with an error is failed, with the message of the service', async () => {
  answerLookups(() => json(session({ status: 'ended', error: 'the source broke off' })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('failed'));
  await player.updateComplete;
  expect(heard.errors.map(({ code, message }) => [code, message])).to.deep.equal([
    ['session_failed', 'the source broke off'],
  ]);
  expect(said(player)).to.equal(liveEn.failed);
});

it('a session with another output type than HLS shows that there is no video', async () => {
  const asked = answerLookups(() => json(session({ outputType: 'RTMP' })));
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('failed'));
  await player.updateComplete;
  expect(heard.errors.map(({ code }) => code)).to.deep.equal(['media_error']);
  expect([said(player), asked.length]).to.deep.equal([liveEn.noVideo, 1]);
});

it('waits for a session that has not begun, is finalizing while it is being stopped, then ended', async () => {
  // Each look-up comes a second or two after the one before, and is answered only when the state of the one before was seen.
  const [waiting, ending] = [deferred<void>(), deferred<void>()];
  const asked = answerLookups(
    () => json(session({ startedAt: undefined })),
    () => waiting.promise.then(() => json(session({ status: 'finalizing' }))),
    () => ending.promise.then(() => json(session({ status: 'ended' }))),
  );
  const { player, heard } = mount({ session: ID });
  await until(() => said(player) === liveEn.waiting);
  waiting.resolve();
  await until(() => said(player) === liveEn.ending);
  ending.resolve();
  await until(() => said(player) === liveEn.ended);
  expect([heard.states, heard.errors]).to.deep.equal([['connecting', 'finalizing', 'ended'], []]);
  expect(asked.length).to.equal(3);
});

it('a session that the service no longer knows when its stream is over has ended', async () => {
  const stream = await openStream();
  let answer = (): Response => json(session({ manifests: { hls: stream.hls } }));
  answerLookups(() => answer());
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('signing'));
  answer = () => refusal('NOT_FOUND', 404);
  await stream.end();
  await until(() => /ended|failed/.test(heard.states.at(-1) ?? ''));
  expect([heard.states.at(-1), said(player)]).to.deep.equal(['ended', liveEn.ended]);
  expect(player.media, 'its last frame stays').not.to.equal(null);
  expect(heard.errors.filter(({ severity }) => severity !== 'warning')).to.deep.equal([]);
});

it('a service that is not available is asked again after Retry-After, with a warning for each try', async () => {
  const asked = answerLookups(
    () => refusal('SERVICE', 503, { 'retry-after': '1' }),
    () => json(session({ status: 'ended' })),
  );
  const { heard } = mount({ session: ID });
  await until(() => heard.states.includes('ended'));
  expect(heard.states).to.deep.equal(['connecting', 'reconnecting', 'ended']);
  expect(heard.errors.map(({ severity, retryAfterSeconds }) => [severity, retryAfterSeconds])).to.deep.equal([
    ['warning', 1],
  ]);
  expect(asked.length).to.equal(2);
});

it('a page of a refused origin fails and makes no further request', async () => {
  answerLookups(() =>
    json({ type: 'about:blank', code: 'origin_refused', title: 'not for this page', status: 403 }, 403, {
      'content-type': 'application/problem+json',
    }),
  );
  const { player, heard } = mount({ session: ID });
  await until(() => heard.states.includes('failed'));
  await player.updateComplete;
  expect(heard.errors.map(({ code }) => code)).to.deep.equal(['origin_refused']);
  expect(said(player)).to.equal(errorsEn.refused);
});

it('an invalid src is refused, and session is preferred to src', async () => {
  const asked = answerLookups(() => json(session({ status: 'ended' })));
  const { player, heard } = mount({ src: 'javascript:alert(1)' });
  await until(() => heard.states.includes('failed'));
  expect(heard.errors.map(({ code }) => code)).to.deep.equal(['invalid_request']);
  player.session = ID;
  await until(() => heard.states.includes('ended'));
  expect(asked.length).to.equal(1);
});

it('refused media is a warning while the session goes on; for a src alone it is final until an attribute changes', async () => {
  let status = 'active';
  answerLookups(() => json(session({ status, manifests: { hls: `${location.origin}/none.m3u8` } })));
  const { heard } = mount({ session: ID });
  await until(() => heard.errors.length > 0);
  // One warning for each look-up, of which there may have been more than one by now.
  const reported = new Set(heard.errors.map(({ code, severity }) => `${severity} ${code}`));
  expect([...reported]).to.deep.equal(['warning media_refused']);
  expect(heard.states).to.deep.equal(['connecting']);
  status = 'ended';
  await until(() => heard.states.includes('ended'));

  // The media server refuses an address without a signature.
  const { media } = await addresses();
  const alone = mount({ src: `${media}/streams/${'0'.repeat(32)}/main.m3u8` });
  await until(() => alone.heard.states.includes('failed'));
  await alone.player.updateComplete;
  expect(alone.heard.errors.map(({ code, severity }) => [code, severity])).to.deep.equal([
    ['media_refused', 'message'],
  ]);
  expect(said(alone.player)).to.equal(errorsEn.media);
  expect(alone.heard.states).to.deep.equal(['connecting', 'failed']);
  alone.player.protocol = 'dash';
  await until(() => alone.heard.errors.length > 1);
  expect(alone.heard.states).to.deep.equal(['connecting', 'failed', 'connecting', 'failed']);
});

it('a live player fails after eight streams without a frame, but not before the session has begun', async () => {
  const { setTimeout } = window;
  // The waits between two tries are shortened, because only the number of tries matters. The time limit of an answer is not.
  const hurried = (ms: number): number => (ms >= 250 && ms <= 9000 ? 10 : ms);
  window.setTimeout = ((run: () => void, ms = 0) => setTimeout(run, hurried(ms))) as typeof setTimeout;
  try {
    let change = { startedAt: undefined } as object;
    const none = { hls: `${location.origin}/none.m3u8` };
    answerLookups(() => json(session({ ...change, manifests: none })));
    const { heard } = mount({ session: ID });
    await until(() => heard.errors.length > 9);
    expect(heard.states).to.deep.equal(['connecting']);
    change = {};
    await until(() => heard.states.includes('failed'));
    const severities = heard.errors.map(({ code, severity }) => `${severity} ${code}`);
    expect(severities.slice(-8)).to.deep.equal([
      ...Array<string>(7).fill('warning media_refused'),
      'message media_refused',
    ]);
  } finally {
    window.setTimeout = setTimeout;
  }
});

it('is idle after the visitor has left the page, and plays again when the page is restored', async () => {
  const asked = answerLookups(() => json(session({ startedAt: undefined })));
  const { player, heard } = mount({ session: ID });
  await until(() => player.liveSession);
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  expect([heard.states, player.liveSession]).to.deep.equal([['connecting', 'idle'], null]);
  const before = asked.length;
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await until(() => player.liveSession);
  expect(heard.states.at(-1)).to.equal('connecting');
  expect(asked.length).to.be.above(before);
});

it('keeps playing when it is moved, is idle when it is removed, and starts again when it is put back', async () => {
  answerLookups(() => json(session({ startedAt: undefined })));
  const { player, heard } = mount({ session: ID });
  await until(() => player.liveSession);
  const shelf = document.createElement('div');
  document.body.append(shelf);
  shelf.append(player);
  await frames(4);
  expect(heard.states).to.deep.equal(['connecting']);
  shelf.remove();
  await until(() => heard.states.includes('idle'));
  expect(player.liveSession).to.equal(null);
  document.body.append(player);
  await until(() => player.liveSession);
  expect(heard.states).to.deep.equal(['connecting', 'idle', 'connecting']);
});

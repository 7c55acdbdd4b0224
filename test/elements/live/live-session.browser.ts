// A live player and a live session of the real sandbox, looked up through the real proxy: its source is another stream of
// the sandbox, pulled by HLS.
import { expect } from '@open-wc/testing';
import { liveEn } from '../../../src/strings/live.ts';
import { operate, proxyAddress } from '../../backend/client.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { mount, openStream, said, unmountAll, until } from './live-harness.ts';

interface Session {
  readonly sessionId: string;
  readonly status: string;
  readonly error?: string;
}

afterEach(unmountAll);

it('shows a live session from its start until it is stopped', async () => {
  const source = await openStream();
  const sessions = '/v2/live/sessions';
  const { sessionId } = (await operate('POST', sessions, {
    sourceType: 'HLS_PULL',
    hlsSourceUrl: source.hls,
  })) as Session;
  const { player, heard } = mount({ session: sessionId, proxy: await proxyAddress() });
  await until(() => heard.states.includes('signing'));
  await until(() => stampOf(player.media!));
  expect([player.liveSession?.sessionId, player.streamType]).to.deep.equal([sessionId, 'live']);

  await operate('DELETE', `${sessions}/${sessionId}`);
  await until(() => heard.states.includes('ended'));
  await player.updateComplete;
  expect(said(player)).to.equal(liveEn.ended);
  expect(heard.errors.filter(({ severity }) => severity !== 'warning')).to.deep.equal([]);
  await source.end();

  const lost = mount({ session: crypto.randomUUID(), proxy: await proxyAddress() });
  await until(() => lost.heard.states.includes('failed'));
  expect(lost.heard.errors.map(({ code }) => code)).to.deep.equal(['not_found']);
});

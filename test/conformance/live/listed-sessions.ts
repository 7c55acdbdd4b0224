// Document 2, Live session list response: pages and their cursor.
import assert from 'node:assert/strict';
import { staged, type Case } from '../case.ts';
import { call } from '../http.ts';
import type { Service } from '../service.ts';
import { withKey } from '../translation/api.ts';
import { sessionIn, sessionsUrl, withSessions, type LiveSession } from './api.ts';

/** The list, page after page. */
async function pagesOf(service: Service): Promise<readonly LiveSession[][]> {
  const pages: LiveSession[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor && `?cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await call(sessionsUrl(service) + query, { headers: withKey(service) });
    assert.equal(status, 200);
    const page = body as { sessions: unknown[]; cursor?: string };
    pages.push(page.sessions.map((each) => sessionIn({ status, body: each, headers: new Headers() })));
    cursor = page.cursor ?? null;
  }
  return pages;
}

export const listedSessions: readonly Case[] = [
  staged(
    'the list gives page after page, the last one without a cursor',
    [
      '2.live.list',
      '2.live.cursor',
      '2.live.id',
      '2.live.connection',
      '2.live.output-srt',
      '2.live.pip.default',
      '2.live.pip.manifest',
    ],
    (service) => {
      const push = { sourceType: 'RTMP_PUSH', connectionId: 'connection-1' };
      const outputSrtConfig = { passphrase: 'a passphrase of ours', keyLength: 16 };
      const out = { outputType: 'SRT', outputDestinationUrl: 'srt://127.0.0.1:1', outputSrtConfig };
      return withSessions(service, [{ ...push, ...out }, push], async (...made) => {
        const [one, other] = made.map(({ session }) => session);
        assert.notEqual(one!.sessionId, other!.sessionId);
        assert.deepEqual([one!.pictureInPicture, one!.manifests], [false, undefined]);
        assert.deepEqual([other!.pictureInPicture, other!.manifests!.pip], [false, undefined]);
        service.set({ fault: 'limits', limits: { live_page_size: 1 } });
        const pages = await pagesOf(service);
        assert.ok(
          pages.every((page) => page.length <= 1),
          'pages of one',
        );
        const listed = pages.flat();
        for (const { sourceType } of listed) assert.ok(sourceType, 'the source type');
        const ids = listed.map(({ sessionId }) => sessionId);
        assert.equal(new Set(ids).size, ids.length);
        for (const { sessionId } of [one!, other!]) assert.ok(ids.includes(sessionId), sessionId);
      });
    },
  ),
];

// Document 1, Limits: the request rate, in a sandbox only, because a real service must not be flooded.
import assert from 'node:assert/strict';
import { staged, type Case } from '../case.ts';
import { call } from '../http.ts';
import { assertRefused, bearer, requestsUrl, tokenOf } from './api.ts';

const MOST = 1500;
const AT_A_TIME = 50;

export const rate: readonly Case[] = [
  staged(
    '1,500 requests in 5 minutes are answered, the next is refused, and 5 minutes later one is answered again',
    ['1.limit.rate', '1.error.envelope'],
    async (service) => {
      // After 5 minutes the requests of earlier cases no longer count.
      service.advance(300);
      const headers = bearer(await tokenOf(service));
      const ask = () => call(`${requestsUrl(service)}/00000000-0000-4000-8000-000000000000`, { headers });
      for (let asked = 0; asked < MOST; asked += AT_A_TIME) {
        const answers = await Promise.all(Array.from({ length: AT_A_TIME }, ask));
        for (const { status } of answers) assert.equal(status, 404);
      }
      // The document shows no status for this refusal. 429 is that of HTTP (RFC 6585, 4).
      assertRefused(await ask(), 429);
      service.advance(300);
      assertRefused(await ask(), 404);
    },
  ),
];

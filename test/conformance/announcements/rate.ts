// Document 1, Limits: the request rate, in a sandbox only, because a real service must not be flooded.
import assert from 'node:assert/strict';
import { staged, type Case } from '../case.ts';
import { call } from '../http.ts';
import { assertRefused, bearer, requestsUrl, tokenOf } from './api.ts';

const MOST = 1500;
const AT_A_TIME = 50;

export const rate: readonly Case[] = [
  staged(
    '1,500 requests in 5 minutes are answered, the next is not, and 5 minutes later one is again',
    ['1.limit.rate', '1.error.envelope'],
    async (service) => {
      // What earlier cases asked for is no longer counted then.
      service.advance(300);
      const headers = bearer(await tokenOf(service));
      const ask = () => call(`${requestsUrl(service)}/00000000-0000-4000-8000-000000000000`, { headers });
      for (let asked = 0; asked < MOST; asked += AT_A_TIME) {
        const answers = await Promise.all(Array.from({ length: AT_A_TIME }, ask));
        for (const { status } of answers) assert.equal(status, 404);
      }
      // Which status it has is not shown; 429 is what HTTP has for it.
      assertRefused(await ask(), 429);
      service.advance(300);
      assertRefused(await ask(), 404);
    },
  ),
];

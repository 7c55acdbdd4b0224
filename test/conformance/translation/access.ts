// Document 2, Authentication and Errors: the key of every operation, and failures of the service's own.
import assert from 'node:assert/strict';
import { free, staged, type Case } from '../case.ts';
import { call } from '../http.ts';
import { assertFlat, generate, get, requestOf } from './api.ts';

const operations = [
  ['POST', '/v2/generate'],
  ['POST', '/v1/generate'],
  ['GET', '/v1/status/some-job'],
  ['GET', '/v1/silence'],
] as const;

export const access: readonly Case[] = [
  ...operations.flatMap(([method, path]) =>
    (
      [
        ['without a key', {}, '2.key.absent'],
        ['with a wrong key', { 'X-API-KEY': 'wrong' }, '2.key.wrong'],
      ] as const
    ).map(([what, key, shows]) =>
      free(`${method} ${path} ${what} is 401`, [shows, '2.error.flat'], async ({ addresses }) => {
        const sent =
          method === 'GET'
            ? { method, headers: key }
            : {
                method,
                headers: { 'Content-Type': 'application/json', ...key },
                body: JSON.stringify(requestOf()),
              };
        assertFlat(await call(`${addresses.apiUrl}${path}`, sent), 401);
      }),
    ),
  ),
  staged('a failure while generating is 500', ['2.error.500', '2.error.flat'], async (service) => {
    service.set({ fault: 'rest_error', status: 500, operation: 'generate' });
    assertFlat(await generate(service, requestOf()), 500);
  }),
  staged('a failure of a job’s status is 500', ['2.error.500', '2.error.flat'], async (service) => {
    service.set({ fault: 'rest_error', status: 500, operation: 'job_status' });
    assertFlat(await get(service, '/v1/status/some-job'), 500);
  }),
  staged('silence that cannot be presigned is 500', ['2.error.presign-code'], async (service) => {
    service.set({ fault: 'rest_error', status: 500, operation: 'silence' });
    assert.equal(assertFlat(await get(service, '/v1/silence'), 500).error, 'presign_failed');
  }),
];

// Document 1, Obtain a token and Authentication: how a token is obtained, and how each kind of wrong credentials is refused.
import assert from 'node:assert/strict';
import { decodeJwt } from 'jose';
import { free, staged, type Case } from '../case.ts';
import { call, postJson, type Answer } from '../http.ts';
import type { SentenceId } from '../sentences/index.ts';
import type { Service } from '../service.ts';
import { askForToken, assertRefused, basic, bearer, requestsUrl, statusAnswer, tokenOf } from './api.ts';

const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** The two operations that need a token, requested with these headers. */
const operations = {
  submit: (service: Service, headers: Record<string, string>): Promise<Answer> =>
    postJson(`${requestsUrl(service)}/train-announcements`, {}, headers),
  status: (service: Service, headers: Record<string, string>): Promise<Answer> =>
    call(`${requestsUrl(service)}/${SOME_ID}`, { headers }),
} as const;

const malformed = ['not-a-token', 'a.b.c'];

const refusals: readonly (readonly [
  what: string,
  ask: (service: Service) => Promise<Answer>,
  status: number,
  shows: SentenceId,
])[] = [
  ['without credentials', (service) => askForToken(service, null), 403, '1.token.credentials'],
  [
    'with a wrong secret',
    (service) => askForToken(service, basic(service.addresses.clientId, 'wrong')),
    403,
    '1.token.credentials',
  ],
  [
    'of an unknown client',
    (service) => askForToken(service, basic('nobody', 'wrong')),
    404,
    '1.token.client',
  ],
  ['without grant_type', (service) => askForToken(service, undefined, {}), 400, '1.token.grant-required'],
  [
    'of another grant_type',
    (service) => askForToken(service, undefined, { grant_type: 'password' }),
    400,
    '1.token.grant-required',
  ],
];

export const token: readonly Case[] = [
  free(
    'Basic credentials in a form request give a Bearer JWT for an hour',
    ['1.token.request', '1.token.response', '1.token.hour', '1.token.jwt'],
    async (service) => {
      const { exp, iat } = decodeJwt(await tokenOf(service));
      assert.ok(exp !== undefined, 'the token says when it expires');
      const issued = iat ?? Date.now() / 1000;
      assert.ok(Math.abs(exp - issued - 3600) <= 60, `it lives ${exp - issued} s`);
    },
  ),
  ...refusals.map(([what, ask, status, shows]) =>
    free(`a token request ${what} is ${status}`, [shows, '1.error.envelope'], async (service) => {
      assertRefused(await ask(service), status);
    }),
  ),
  ...(['submit', 'status'] as const).flatMap((operation) => [
    free(
      `${operation} without a token is 403`,
      ['1.access.missing', '1.error.envelope', '1.error.log'],
      async (service) => {
        assertRefused(await operations[operation](service, {}), 403);
      },
    ),
    ...malformed.map((word) =>
      free(
        `${operation} with the token ${word} is 401`,
        ['1.access.malformed', '1.error.envelope'],
        async (service) => {
          assertRefused(await operations[operation](service, bearer(word)), 401);
        },
      ),
    ),
  ]),
  free('a token whose signature was changed is 401', ['1.access.malformed'], async (service) => {
    const [header, claims, signature = ''] = (await tokenOf(service)).split('.');
    const other = [...signature].reverse().join('');
    assert.notEqual(other, signature);
    assertRefused(await operations.status(service, bearer(`${header}.${claims}.${other}`)), 401);
  }),
  staged(
    'a token is good for an hour and 401 after it; a fresh one is good again',
    ['1.access.expired', '1.access.fresh', '1.token.hour'],
    async (service) => {
      const headers = bearer(await tokenOf(service));
      // The clock goes on by itself too: a slow machine may take a minute for these requests.
      service.advance(3600 - 60);
      assertRefused(await operations.status(service, headers), 404);
      service.advance(61);
      assertRefused(await operations.status(service, headers), 401);
      assertRefused(await statusAnswer(service, SOME_ID), 404);
    },
  ),
];

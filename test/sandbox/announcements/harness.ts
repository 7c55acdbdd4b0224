// The announcement API and its token server on a clock that stands still, with an encoder that finishes when the test says so.
import type { TestContext } from 'node:test';
import Fastify from 'fastify';
import { credentialsOf } from '../../../demo/sandbox/addresses.ts';
import { AccessTokens, tokenRoutes } from '../../../demo/sandbox/announcements/token-server.ts';
import { announcementRoutes } from '../../../demo/sandbox/announcements/announcement-routes.ts';
import { Announcements, type AnnouncementMedia } from '../../../demo/sandbox/announcements/announcements.ts';
import { hexSource } from '../../../demo/sandbox/ids.ts';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { FaultsInForce } from '../../../demo/sandbox/faults.ts';
import {
  defaultLimits,
  defaultNames,
  type FieldNames,
  type SandboxLimits,
} from '../../../demo/sandbox/settings.ts';
import type { MediaSpec } from '../../../demo/sandbox/media/media-spec.ts';
import { ManualClock } from '../manual-clock.ts';
import { promisesSettled } from '../../promises-settled.ts';

export const SUBMIT = '/transport/v1/sign-requests/train-announcements';
export const REQUESTS = '/transport/v1/sign-requests';
export const TOKEN = '/auth/oauth2/token';
export const CREDENTIALS = `Basic ${Buffer.from('sandbox-client-id:sandbox-client-secret').toString('base64')}`;

export const basic = (words: string): string => `Basic ${Buffer.from(words).toString('base64')}`;

/** A requested video that is not made yet. */
interface Making {
  readonly spec: MediaSpec;
  readonly finish: (media?: Partial<AnnouncementMedia>) => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** `data` of the body. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function openHarness(t: TestContext) {
  const clock = new ManualClock();
  const faults = new FaultsInForce();
  const newHex = hexSource(1);
  const making: Making[] = [];
  let limits: SandboxLimits = defaultLimits;
  let names: FieldNames = defaultNames;
  const tokens = new AccessTokens(clock, () => limits, newHex());
  const announcements = new Announcements({
    clock,
    faults,
    newHex,
    mediaOf: (spec) =>
      new Promise((resolve, reject) => {
        making.push({
          spec,
          finish(media) {
            resolve({ files: [{ path: '/clips/one.mp4' }], type: 'video/mp4', durationSeconds: 4, ...media });
            return promisesSettled();
          },
          fail(error) {
            reject(error);
            return promisesSettled();
          },
        });
      }),
  });
  const app = Fastify({ exposeHeadRoutes: false });
  t.after(() => app.close());
  void app.register(tokenRoutes({ clock, faults, tokens, credentials: credentialsOf(1) }));
  void app.register(
    announcementRoutes({
      clock,
      faults,
      tokens,
      announcements,
      limits: () => limits,
      names: () => names,
      urlOf: (path, expires) => `http://media.test${path}?expires=${expires}`,
    }),
  );

  type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  const ask = async (
    method: Method,
    url: string,
    headers: Record<string, string> = {},
    payload?: string,
  ): Promise<Answer> => {
    const response = await app.inject({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    const body = (response.payload === '' ? {} : response.json()) as Answer['body'];
    const data = (body['data'] ?? {}) as Answer['data'];
    return { status: response.statusCode, headers: response.headers, body, data };
  };
  const bearer = async (): Promise<{ Authorization: string }> => ({
    Authorization: `Bearer ${(await tokens.issue('sandbox-client-id')).access_token}`,
  });
  return {
    clock,
    faults,
    tokens,
    announcements,
    making,
    ask,
    bearer,
    setFaults: (list: readonly Fault[]) => faults.replace(list),
    setLimits: (changes: Partial<SandboxLimits>) => (limits = { ...limits, ...changes }),
    setNames: (changes: Partial<FieldNames>) => (names = { ...names, ...changes }),
    /** Requests a token, with the right credentials unless others are given. */
    token: (headers: Record<string, string> = {}, form = 'grant_type=client_credentials') =>
      ask(
        'POST',
        TOKEN,
        {
          'Content-Type': 'application/x-www-form-urlencoded',
          Authorization: CREDENTIALS,
          ...headers,
        },
        form,
      ),
    submit: async (body: unknown): Promise<Answer> =>
      ask('POST', SUBMIT, { ...(await bearer()), 'Content-Type': 'application/json' }, JSON.stringify(body)),
    check: async (id: unknown, query = ''): Promise<Answer> =>
      ask('GET', `${REQUESTS}/${String(id)}${query}`, await bearer()),
  };
}

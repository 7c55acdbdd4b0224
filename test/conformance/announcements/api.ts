// The announcement API as a client uses it: token, submit, status, and the checks that many cases share.
// - Each case gets a token of its own.
// - A status is polled as document 1 advises, with a pause twice as long each time up to 4 s, for four minutes at most.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import { call, postJson, type Answer } from '../http.ts';
import type { Service } from '../service.ts';
import { LONGEST_WAIT_MS } from '../until.ts';
import { urlsIn } from '../urls.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 4000;

/** Credentials as the Basic scheme writes them. */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Requests a token. With `authorization` null the request has no such header. */
export function askForToken(
  { addresses }: Service,
  authorization: string | null = basic(addresses.clientId, addresses.clientSecret),
  form: Record<string, string> = { grant_type: 'client_credentials' },
): Promise<Answer> {
  return call(`${addresses.authUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(authorization === null ? {} : { Authorization: authorization }),
    },
    body: new URLSearchParams(form).toString(),
  });
}

const tokenResponse = z.strictObject({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.literal(3600),
  token_type: z.literal('Bearer'),
});

export async function tokenOf(service: Service): Promise<string> {
  const { status, body } = await askForToken(service);
  assert.equal(status, 200);
  return z.parse(tokenResponse, body).access_token;
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export const requestsUrl = ({ addresses }: Service): string => `${addresses.transportUrl}/v1/sign-requests`;

export async function submit(service: Service, body: unknown): Promise<Answer> {
  const headers = bearer(await tokenOf(service));
  return postJson(`${requestsUrl(service)}/train-announcements`, body, headers);
}

const submitResponse = z.strictObject({
  data: z.strictObject({ id: z.string().check(z.minLength(1)) }),
});

/** Submits an announcement, which must be accepted, and returns its id. */
export async function accepted(service: Service, body: object): Promise<string> {
  const { status, body: answer } = await submit(service, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return z.parse(submitResponse, answer).data.id;
}

const errorEnvelope = z.strictObject({
  data: z.strictObject({ status: z.literal('FAILED'), errorLog: z.string().check(z.minLength(1)) }),
});

/** Asserts that the answer is this error in the document's envelope, and returns its errorLog. */
export function assertRefused({ status, body }: Answer, expected: number): string {
  assert.equal(status, expected, JSON.stringify(body));
  return z.parse(errorEnvelope, body).data.errorLog;
}

export const statusAnswer = async (service: Service, id: string, query = ''): Promise<Answer> =>
  call(`${requestsUrl(service)}/${id}${query}`, { headers: bearer(await tokenOf(service)) });

/** The content of a status answer; the document does not show whether it is inside `data`. */
interface State {
  readonly status: string;
  readonly url: string | null;
  readonly errorLog: unknown;
}

export function stateOf({ status, body }: Answer): State {
  assert.equal(status, 200, JSON.stringify(body));
  const outer = body as Record<string, unknown>;
  const inner = (outer['data'] ?? outer) as Record<string, unknown>;
  const urls = urlsIn(inner);
  assert.ok(urls.length <= 1, 'one download URL');
  return { status: String(inner['status']), url: urls[0] ?? null, errorLog: inner['errorLog'] };
}

/** Polls until the request is over; gives every state that was seen, the last one at the end. */
export async function watched(service: Service, id: string, query = '?filter=status'): Promise<State[]> {
  const deadline = Date.now() + LONGEST_WAIT_MS;
  const seen: State[] = [];
  for (let pause = FIRST_PAUSE_MS; Date.now() < deadline; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const state = stateOf(await statusAnswer(service, id, query));
    seen.push(state);
    if (state.status !== 'IN_PROGRESS') return seen;
    await wait(pause);
  }
  throw new Error('still IN_PROGRESS after four minutes');
}

/** Submits an announcement and gives the URL of its video. */
export async function videoUrl(service: Service, body: object): Promise<string> {
  const last = (await watched(service, await accepted(service, body))).at(-1)!;
  assert.equal(last.status, 'COMPLETED', String(last.errorLog));
  assert.ok(last.url !== null, 'COMPLETED without a download URL');
  return last.url;
}

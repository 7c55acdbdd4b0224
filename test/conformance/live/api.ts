// The live API as a client uses it: sessions that are stopped when a case is over, and the checks that many cases share.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { call, postJson, type Answer } from '../http.ts';
import type { Service } from '../service.ts';
import { withKey } from '../translation/api.ts';
import { until } from '../until.ts';

/** ISO 8601 with an offset or `Z`. */
const time = z.iso.datetime({ offset: true });

/** The live session object, which may have more fields, whose names the document does not show. */
const sessionSchema = z.looseObject({
  sessionId: z.string().check(z.minLength(1)),
  status: z.enum(['active', 'finalizing', 'ended']),
  sourceType: z.optional(z.enum(['RTMP_PUSH', 'SRT_PUSH', 'HLS_PULL'])),
  outputType: z.enum(['HLS', 'RTMP', 'SRT']),
  pictureInPicture: z.boolean(),
  language: z.optional(z.enum(['BSL', 'ASL'])),
  signer: z.optional(z.string()),
  rtmpEndpoints: z.optional(z.array(z.string().check(z.regex(/^rtmps?:\/\//))).check(z.minLength(1))),
  relayActive: z.optional(z.boolean()),
  ingestUrl: z.optional(z.string().check(z.regex(/^srt:\/\//))),
  srtPassphrase: z.optional(z.string()),
  outputManifestUrl: z.optional(z.url()),
  manifests: z.optional(z.strictObject({ hls: z.url(), dash: z.url(), pip: z.optional(z.url()) })),
  startedAt: z.optional(time),
  stoppedAt: z.optional(time),
  error: z.optional(z.string().check(z.minLength(1))),
});
export type LiveSession = z.infer<typeof sessionSchema>;

const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.string().check(z.minLength(1)),
    type: z.enum(['VALIDATION_ERROR', 'NOT_FOUND', 'UNSUPPORTED_OPERATION', 'SERVICE_UNAVAILABLE']),
    message: z.string().check(z.minLength(1)),
    details: z.optional(z.record(z.string(), z.unknown())),
    requestId: z.string(),
  }),
});
export type LiveError = z.infer<typeof errorSchema>['error'];

export const sessionsUrl = ({ addresses }: Service): string => `${addresses.apiUrl}/v2/live/sessions`;

export const create = (service: Service, body: unknown): Promise<Answer> =>
  postJson(sessionsUrl(service), body, withKey(service));

const one = (service: Service, id: string, method: 'GET' | 'DELETE'): Promise<Answer> =>
  call(`${sessionsUrl(service)}/${id}`, { method, headers: withKey(service) });

/** The answer has this status and is a live session. */
export function sessionIn({ status, body }: Answer, expected = 200): LiveSession {
  assert.equal(status, expected, JSON.stringify(body));
  return z.parse(sessionSchema, body);
}

export const get = async (service: Service, id: string): Promise<LiveSession> =>
  sessionIn(await one(service, id, 'GET'));

/** Stops a session. The document does not show the answer, but it must not be an error. */
export async function stop(service: Service, id: string): Promise<void> {
  const { status, body } = await one(service, id, 'DELETE');
  assert.ok(status < 300, JSON.stringify(body));
}

export const hasEnded = ({ status }: LiveSession): boolean => status === 'ended';

/** Waits until the session meets the condition. */
export const sessionOnce = (
  service: Service,
  id: string,
  isExpected: (session: LiveSession) => boolean,
): Promise<LiveSession> => until(() => get(service, id), isExpected);

interface Made {
  readonly session: LiveSession;
  /** The answer to its creation. */
  readonly answer: Answer;
}

async function end(service: Service, { sessionId }: LiveSession): Promise<void> {
  await stop(service, sessionId);
  await sessionOnce(service, sessionId, hasEnded);
}

/** Creates sessions at the same time for `use`, and ends them after it, also when it rejects. */
export async function withSessions(
  service: Service,
  bodies: readonly object[],
  use: (...made: Made[]) => Promise<void>,
): Promise<void> {
  const answers = await Promise.all(bodies.map((body) => create(service, body)));
  const there = answers.filter(({ status }) => status === 201).map((answer) => sessionIn(answer, 201));
  try {
    await use(...answers.map((answer) => ({ session: sessionIn(answer, 201), answer })));
  } finally {
    await Promise.all(there.map((session) => end(service, session)));
  }
}

/** Creates one session for `use`, and ends it after it, also when it rejects. */
export const withSession = (
  service: Service,
  body: object,
  use: (session: LiveSession, answer: Answer) => Promise<void>,
): Promise<void> => withSessions(service, [body], ({ session, answer }) => use(session, answer));

/** The answer is an error of this status in the live envelope; gives it. */
export function assertLive({ status, body }: Answer, expected: number): LiveError {
  assert.equal(status, expected, JSON.stringify(body));
  return z.parse(errorSchema, body).error;
}

/** Whether any field of the answer has this value. */
export const holds = (answer: unknown, value: string): boolean =>
  JSON.stringify(answer).includes(JSON.stringify(value));

// The announcement API: submit and check (document 1, Endpoints).
// - A request is checked in this order: its access token, the rate, its content.
// - Every request with a valid token counts towards the rate, also when it is refused. Only a request that is answered with 429
//   does not count.
// - Any path below `/v1/sign-requests/` is taken as an id.
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { TRANSPORT_PATH } from '../addresses.ts';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import type { FieldNames, SandboxLimits } from '../settings.ts';
import { RateWindow } from '../rate-window.ts';
import { isUuid } from '../ids.ts';
import type { AccessTokens } from './token-server.ts';
import { readAnnouncement } from './announcement-request.ts';
import type { AcceptedAnnouncement, Announcements } from './announcements.ts';
import { answerInEnvelope, MOST_BODY, onlyServe, Refusal } from './envelope.ts';

const URL_OF_REQUESTS = '/v1/sign-requests';
const URL_OF_SUBMIT = `${URL_OF_REQUESTS}/train-announcements`;
const FIVE_MINUTES = 300_000;

interface AnnouncementDeps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  /** The limits now in force. */
  readonly limits: () => SandboxLimits;
  /** The names now in force of fields that the document does not show. */
  readonly names: () => FieldNames;
  readonly tokens: AccessTokens;
  readonly announcements: Announcements;
  /** The address at which a path of the media origin is served until `expires` (milliseconds since 1970). */
  readonly urlOf: (path: string, expires: number) => string;
}

/** @throws Refusal 403 without a Bearer token, 401 with one that is not valid */
async function checkToken(tokens: AccessTokens, authorization: string | undefined): Promise<void> {
  if (authorization === undefined) throw new Refusal(403, 'Authorization: missing');
  const token = /^Bearer +(.+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal(403, 'Authorization: no Bearer token');
  if (await tokens.isValid(token)) return;
  throw new Refusal(401, 'the access token is malformed or has expired', {
    'WWW-Authenticate': 'Bearer error="invalid_token"',
  });
}

/** The state of an announcement. With `compact` it has only the status and the URL or error. */
function stateOf(
  { id, request, text, createdAt, outcome }: AcceptedAnnouncement,
  { clock, limits, names, urlOf }: AnnouncementDeps,
  compact: boolean,
): Readonly<Record<string, unknown>> {
  const whole = compact ? {} : { id, createdAt: new Date(createdAt).toISOString(), request, text };
  if (outcome.status !== 'COMPLETED') return { ...whole, ...outcome };
  const { path, type, durationSeconds } = outcome.video;
  const expires = clock.now() + limits().url_lifetime_seconds * 1000;
  return {
    ...whole,
    status: outcome.status,
    [names().announcement_download_url]: urlOf(path, expires),
    ...(compact ? {} : { expiresAt: new Date(expires).toISOString(), mimeType: type, durationSeconds }),
  };
}

function signRequests(app: FastifyInstance, deps: AnnouncementDeps): void {
  const { clock, limits, tokens, announcements } = deps;
  const rate = new RateWindow(FIVE_MINUTES);

  app.addHook('onRequest', async (request) => {
    await checkToken(tokens, request.headers.authorization);
    const most = limits().announcement_requests_per_5_minutes;
    const seconds = rate.retryAfter(clock.now(), most);
    if (seconds > 0) {
      const headers = { 'Retry-After': String(Math.ceil(seconds)) };
      throw new Refusal(429, `more than ${most} requests in 5 minutes`, headers);
    }
    rate.add(clock.now());
  });

  app.post(URL_OF_SUBMIT, { config: { operation: 'announce' }, bodyLimit: MOST_BODY }, ({ body }) => ({
    data: { id: announcements.submit(readAnnouncement(body), body) },
  }));
  onlyServe(app, URL_OF_SUBMIT, 'POST');

  const check = { config: { operation: 'announcement_status' } } as const;
  app.get(URL_OF_REQUESTS, check, () => {
    throw new Refusal(400, 'requestId: missing');
  });
  onlyServe(app, URL_OF_REQUESTS, 'GET');
  app.get<{ Params: { readonly '*': string }; Querystring: { readonly filter?: unknown } }>(
    `${URL_OF_REQUESTS}/*`,
    check,
    ({ params, query }) => {
      const id = params['*'];
      if (id === '') throw new Refusal(400, 'requestId: missing');
      if (!isUuid(id)) throw new Refusal(400, 'requestId: malformed, it is a UUID');
      if (query.filter !== undefined && query.filter !== 'status') {
        throw new Refusal(400, 'filter: status or nothing');
      }
      const accepted = announcements.find(id);
      if (!accepted) throw new Refusal(404, 'no request with this requestId');
      return { data: stateOf(accepted, deps, query.filter === 'status') };
    },
  );
  onlyServe(app, `${URL_OF_REQUESTS}/*`, 'GET');
}

/** The announcement API, under TRANSPORT_PATH. */
export const announcementRoutes =
  (deps: AnnouncementDeps): FastifyPluginAsync =>
  async (parent) => {
    await parent.register(
      async (app) => {
        answerInEnvelope(app, deps);
        await app.register(async (requests) => signRequests(requests, deps));
      },
      { prefix: TRANSPORT_PATH },
    );
  };

// The token server of the announcement API: `POST /oauth2/token` (document 1, Obtain a token). Policy: the document's
// envelope and statuses, not those of RFC 6749; credentials are looked at before the form is.
import formbody from '@fastify/formbody';
import type { FastifyPluginAsync } from 'fastify';
import { AUTH_PATH, type Credentials } from '../addresses.ts';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import type { AccessTokens } from './access-tokens.ts';
import { checkClient } from './client-credentials.ts';
import { answerInEnvelope, MOST_BODY, onlyServe, Refusal } from './envelope.ts';

export interface TokenSurroundings {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  readonly tokens: AccessTokens;
  /** Of the one client that there is. */
  readonly credentials: Credentials;
}

const URL_OF_TOKEN = '/oauth2/token';

/** The token server, under AUTH_PATH. */
export const tokenRoutes =
  (around: TokenSurroundings): FastifyPluginAsync =>
  async (parent) => {
    await parent.register(
      async (app) => {
        answerInEnvelope(app, around);
        app.removeAllContentTypeParsers();
        await app.register(formbody, { bodyLimit: MOST_BODY });
        app.post<{ Body: { readonly grant_type?: unknown } | undefined }>(
          URL_OF_TOKEN,
          {
            config: { operation: 'token' },
            onRequest: async (request) => {
              checkClient(request.headers.authorization, around.credentials);
            },
          },
          (request) => {
            const grant = request.body?.grant_type;
            if (grant === undefined) throw new Refusal(400, 'grant_type: missing');
            if (grant !== 'client_credentials') throw new Refusal(400, 'grant_type: client_credentials only');
            return around.tokens.issue(around.credentials.clientId);
          },
        );
        onlyServe(app, URL_OF_TOKEN, 'POST');
      },
      { prefix: AUTH_PATH },
    );
  };

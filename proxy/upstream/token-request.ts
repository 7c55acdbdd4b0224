// Requests an access token of the token server, by client credentials (document 1, Obtain a token).
// - Two differences from RFC 6749 are accepted: fields that are null, and credentials that are not form-encoded.
import {
  allowInsecureRequests,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
} from 'oauth4webapi';
import type { TransportConfig } from '../config.ts';
import type { Upstream } from './upstream.ts';

const TOKEN_PATH = '/oauth2/token';

/** Requests a token with the proxy's own HTTP client, so that its time-outs and limits hold. */
export async function requestToken({ authUrl, clientId, clientSecret }: TransportConfig, upstream: Upstream) {
  const server: AuthorizationServer = { issuer: authUrl, token_endpoint: authUrl + TOKEN_PATH };
  const client: Client = { client_id: clientId };
  const tokenResponse = await clientCredentialsGrantRequest(
    server,
    client,
    basic(clientSecret),
    {},
    {
      // The operator decides whether the token server is on TLS.
      [allowInsecureRequests]: true,
      [customFetch]: async (_url, { headers, body }) => {
        const response = await upstream.request({
          method: 'POST',
          path: TOKEN_PATH,
          headers,
          body: String(body),
        });
        const type = response.headers['content-type'];
        return new Response(withoutNulls(response.body), {
          status: response.status,
          headers: type === undefined ? {} : { 'content-type': type },
        });
      },
    },
  );
  return processClientCredentialsResponse(server, client, tokenResponse);
}

/** Drops fields that are null: RFC 6749 has none, and oauth4webapi refuses them. */
function withoutNulls(body: Buffer): Uint8Array<ArrayBuffer> {
  try {
    const parsed: unknown = JSON.parse(
      new TextDecoder().decode(body),
      (_name, value: unknown) => value ?? undefined,
    );
    return new TextEncoder().encode(JSON.stringify(parsed));
  } catch {
    return new Uint8Array(body);
  }
}

/** `base64(client_id:client_secret)` as in document 1, without the form encoding of RFC 6749, 2.3.1. */
const basic =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`);

// The proxy with an announcement API and its token server behind it.
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { fakeUpstream, type FakeUpstream, type UpstreamAsked } from './fake-upstream.ts';
import { mountedProxy, type MountedProxy, type MountedProxyInit } from './mounted-proxy.ts';

export const CLIENT_SECRET = 'secret:of/the+client';
export const SUBMIT = '/sign/v1/sign-requests/train-announcements';
/** Path of the status of the request that submit() makes. */
export const CHECK = '/sign/v1/sign-requests/request-1';

interface Harness extends MountedProxy {
  /** The announcement API; answers 200 to the token that was issued last, 401 to others. */
  readonly api: FakeUpstream;
  /** The token server; issues `issued-token-1`, `issued-token-2` and so on. */
  readonly auth: FakeUpstream;
}

export const say = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));

export async function harness(
  t: TestContext,
  init: MountedProxyInit & { readonly seconds?: number } = {},
): Promise<Harness> {
  const [api, auth] = await Promise.all([fakeUpstream(), fakeUpstream()]);
  let issued = 0;
  auth.answer = (response) =>
    say(response, 200, {
      access_token: `issued-token-${++issued}`,
      expires_in: init.seconds ?? 3600,
      token_type: 'Bearer',
    });
  api.answer = (response, { request }) =>
    request.headers.authorization === `Bearer issued-token-${issued}`
      ? say(response, 200, { data: { id: 'request-1' } })
      : say(response, 401, { data: { status: 'FAILED', errorLog: 'expired' } });
  const proxy = await mountedProxy(t, {
    ...init,
    env: {
      SIGN_TRANSPORT_URL: api.url,
      SIGN_AUTH_URL: auth.url,
      SIGN_CLIENT_ID: 'client-1',
      SIGN_CLIENT_SECRET: CLIENT_SECRET,
      SIGN_REQUESTS_PER_MINUTE: '100000',
      SIGN_GENERATES_PER_MINUTE: '100000',
      ...init.env,
    },
  });
  t.after(() => Promise.all([api.close(), auth.close()]));
  return { ...proxy, api, auth };
}

export const submit = ({ origin }: Harness, body: unknown = { destination: 'KGX' }): Promise<Response> =>
  fetch(origin + SUBMIT, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: 'Bearer of-the-client',
      'X-Request-Id': 'client-1',
    },
    body: JSON.stringify(body),
  });

export const tokenOf = ({ request }: UpstreamAsked): string | undefined => request.headers.authorization;

// Addresses of the idle signer over HTTP (document 2, `GET /v1/silence`).
import { parseSilence, silenceQuery, type Silence, type SilenceRequest } from '../../protocol/silence.ts';
import { request, understood, type RequestDeps, type RequestOptions } from './request.ts';

export async function silence(
  deps: RequestDeps,
  query: SilenceRequest = {},
  options: RequestOptions = {},
): Promise<Silence> {
  const search = silenceQuery(query);
  const body = await request({ path: `v1/silence${search && `?${search}`}` }, deps, options);
  return understood(parseSilence(query, body));
}

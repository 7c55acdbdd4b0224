// A live session as a viewer may see it, over HTTP (document 2, `GET /v2/live/sessions/{id}`).
import { parseLiveSession, type LiveSession } from '../../protocol/live-session.ts';
import { pathOf, request, understood, type RequestDeps, type RequestOptions } from './request.ts';

export async function liveSession(
  deps: RequestDeps,
  id: string,
  options: RequestOptions = {},
): Promise<LiveSession> {
  const body = await request({ path: `v2/live/sessions/${pathOf(id)}` }, deps, options);
  return understood(parseLiveSession(body));
}

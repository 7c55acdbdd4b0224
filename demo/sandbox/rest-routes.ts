// The REST operations of documents 1 and 2, which this sandbox does not have yet. Policy: every route of theirs is there
// and says so, with 501 in its own document's error envelope, so that nobody takes a missing route for a wrong address.
import { answerJson } from './answer.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where the announcement API and its token server stand, under the one HTTP address. */
export const TRANSPORT_PATH = '/transport';
export const AUTH_PATH = '/auth';

const NOT_YET = 'this sandbox does not have it yet';

/** Document 1, Errors; its token server has no envelope of its own. */
const transport = () => ({ data: { status: 'FAILED', errorLog: NOT_YET } });
/** Document 2, Errors, envelope 1. */
const flat = () => ({ error: 'not_implemented', details: NOT_YET });
/** Document 2, Errors, envelope 2; `requestId` echoes the request's header. */
const live = (requestId: string | undefined) => ({
  error: {
    code: 'NOT_IMPLEMENTED',
    type: 'UNSUPPORTED_OPERATION',
    message: NOT_YET,
    ...(requestId === undefined ? {} : { requestId }),
  },
});

const routes: readonly (readonly [path: RegExp, envelope: (requestId: string | undefined) => unknown])[] = [
  [new RegExp(`^${TRANSPORT_PATH}/v1/sign-requests/[^/]+$`), transport],
  [new RegExp(`^${AUTH_PATH}/oauth2/token$`), transport],
  [/^\/v[12]\/generate$/, flat],
  [/^\/v1\/status\/[^/]+$/, flat],
  [/^\/v1\/silence$/, flat],
  [/^\/v2\/live\/sessions(\/[^/]+)?$/, live],
];

/** Answers a request for one of these operations; false when the path is none of them. */
export function answerRest(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  const route = routes.find(([pattern]) => pattern.test(path));
  if (!route) return false;
  const id = request.headers['x-request-id'];
  answerJson(response, 501, route[1](Array.isArray(id) ? id[0] : id));
  request.resume();
  return true;
}

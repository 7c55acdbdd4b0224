// A translation request of a client through the proxy, and checks of its answer.
// - `bodyFor` makes a valid body with a field that the proxy does not know: a refusal is due to what the test changed.
// - `refusal` checks that the proxy refuses with a problem document.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { PROBLEM_TYPE } from '../../src/protocol/problem.ts';
import type { MountedProxy } from './mounted-proxy.ts';

export const TOKEN = 'token-of-the-operator';
export const JOB = { jobId: 'job-1', status: 'processing' };

export const bodyFor = (method = 'stream', data = 'Hello.') => ({
  content: { type: 'text', data },
  output: { format: 'hls', delivery: { method, config: { lowLatencyMode: true, tomorrow: [1] } } },
  context: { application: 'test' },
});

export function json(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export const post = (
  { origin }: MountedProxy,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/v2/generate',
): Promise<Response> =>
  fetch(`${origin}/sign${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

interface Refusal {
  readonly code: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

export async function refusal(response: Response): Promise<Refusal & { readonly status: number }> {
  assert.equal(response.headers.get('content-type'), PROBLEM_TYPE);
  return { ...((await response.json()) as Refusal), status: response.status };
}

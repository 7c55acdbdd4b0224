// The route that sets faults: GET lists what can be asked for, POST replaces what is in force. Policy: for tools on this
// machine only: loopback address and loopback host name (a rebound name is refused), JSON only and no CORS header, so that
// no page can reach it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson } from './answer.ts';
import { FaultListError, faultMenu, type Fault } from './faults.ts';

export const CONTROL_PATH = '/sandbox/faults';
const MOST_BYTES = 64 * 1024;
const ownHosts = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** What the route does in the sandbox. */
export interface Control {
  readonly inForce: readonly Fault[];
  /** @throws FaultListError */
  setFaults(list: unknown): void;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function answerControl(
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, problem: string, problems: readonly string[] = []): void =>
    answerJson(response, status, { error: problem, problems });
  if (!ownHosts.test(request.headers.host ?? '')) return refuse(403, 'loopback only');
  if (request.method === 'GET') {
    return answerJson(response, 200, { faults: faultMenu, in_force: control.inForce });
  }
  if (request.method !== 'POST') return refuse(405, 'GET or POST');
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return refuse(415, 'application/json only');
  }
  const body = await readBody(request);
  if (body === null) {
    response.setHeader('Connection', 'close');
    return refuse(413, `at most ${MOST_BYTES} bytes`);
  }
  let list: unknown;
  try {
    list = JSON.parse(body);
  } catch {
    return refuse(400, 'not JSON');
  }
  try {
    control.setFaults(list);
  } catch (error) {
    if (!(error instanceof FaultListError)) throw error;
    return refuse(400, 'not a list of faults', error.problems);
  }
  answerJson(response, 200, { in_force: control.inForce });
}

// Bodies that a host framework has read before the request reached the proxy.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem.ts';

interface HostRequest extends IncomingMessage {
  readonly body?: unknown;
}

/** A body that the host has parsed is serialized and read again, so that our own limits hold. */
export function useParsedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ raw, headers }, _reply, payload) => {
    const length = Number(headers['content-length'] ?? 0);
    const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
    if (!hasBody || !raw.readableDidRead) return payload;
    const { body } = raw as HostRequest;
    if (body === undefined) throw new ProblemError('body_taken');
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    // Fastify compares this with Content-Length, the length of the body as it was sent.
    return Object.assign(Readable.from([bytes]), { receivedEncodedLength: length });
  });
}

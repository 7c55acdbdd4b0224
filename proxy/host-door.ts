// The door for requests of a server that is not Fastify's: Node's own, Express, a custom server of Next. Policy:
// a request is answered here or left to the host, never half of each, and no error of ours is handed to the host. A
// framework that strips its mount path from `url` leaves the whole in `originalUrl`, and routes go by that.
import { Readable } from 'node:stream';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './problem-reply.ts';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** What hosts add to a request. */
interface HostRequest extends IncomingMessage {
  readonly originalUrl?: unknown;
  readonly body?: unknown;
}

/** `appOf` is asked at the first request: a proxy that is mounted elsewhere needs no server of its own. */
export function nodeHandler(appOf: () => FastifyInstance, path: string): NodeHandler {
  return (request: HostRequest, response, next) => {
    const url = typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');
    const [route = ''] = url.split('?', 1);
    if (next && route !== path && !route.startsWith(`${path}/`)) return next();
    request.url = url;
    const app = appOf();
    app.ready().then(
      () => app.routing(request, response),
      (error: unknown) => {
        app.log.error({ error: String(error) }, 'the proxy cannot start');
        response.writeHead(500).end();
      },
    );
  };
}

/**
 * Lets routes have bodies that a host has read before them. What it parsed is written anew and read like any other, so
 * that our own limits hold.
 */
export function takeBodiesOfHost(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ raw, headers }, _reply, payload) => {
    const length = Number(headers['content-length'] ?? 0);
    const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
    if (!hasBody || !raw.readableDidRead) return payload;
    const { body } = raw as HostRequest;
    if (body === undefined) throw new ProblemError('body_taken');
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    // Fastify compares it with Content-Length, which speaks of what came over the wire.
    return Object.assign(Readable.from([bytes]), { receivedEncodedLength: length });
  });
}

// Parses request bodies: JSON only, at most 256 kB, 16 levels deep and 5,000 items, no `__proto__` (Fastify's parser
// refuses it).
// - The host's body parsers are not inherited. A body that the host has parsed before the request reached the proxy is
//   serialized and read again, so that our own limits hold.
// - At most 256 bodies are read at a time, 16 of one client or fewer when many are read (fair-share.ts), because each may hold
//   256 kB for 20 s; over that 503 `overloaded` or 429 `rate_limited`. A body has at most 1,024 pieces, because a chunk of one
//   byte takes 200 bytes of memory. A body of more than 16 kB keeps its place until the answer, because the request may wait for
//   a look-up or for an equal request.
// - A client that waits for 100 (RFC 9110, 10.1.1) gets it after all other checks, and not for a body that is too large. The body
//   of a request that no route takes is not read.
// - The parsed body is what goes upstream, serialized again: a duplicate key means the same to the service and to us.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTooComplex } from '../json-complexity.ts';
import type { ClientAddresses } from '../limits/client-address.ts';
import { countCostlyBody } from '../limits/connections.ts';
import { type FairShare, fairShare } from '../limits/fair-share.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { onRequestEnd } from '../request-end.ts';
import type { IncomingMessage, Server } from 'node:http';
import { Readable } from 'node:stream';

const BODY_BYTES = 256 * 1024;
const LIMITS = { depth: 16, values: 5_000 };
const TOO_COMPLEX = `must be at most ${LIMITS.depth} levels deep and have at most ${LIMITS.values} items`;
/** A piece is a part of the body as it arrives: a packet, or a chunk in it. */
const MAX_BODY_PIECES = 1_024;
const LARGE_BYTES = 16 * 1024;
const MAX_ERRORS = 20;
const MAX_BODIES = 256;
const MAX_BODIES_OF_CLIENT = 16;

/** A wrong field, by its path (`content.data`; empty for the body itself), and what is allowed. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** 400 `invalid_request` that names the first 20 fields. */
export const invalidFields = (errors: readonly FieldProblem[]): ProblemError =>
  new ProblemError('invalid_request', { extra: { errors: errors.slice(0, MAX_ERRORS) } });

/** Makes `scope` accept JSON bodies only. */
export function acceptJsonOnly(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      if (request.is404) return undefined;
      const body = await bytesOf(request, payload);
      // Some clients send a Content-Type with a DELETE, which has no body.
      if (request.method === 'DELETE' && body.length === 0) return undefined;
      if (isTooComplex(body, LIMITS)) throw invalidFields([{ field: '', message: TOO_COMPLEX }]);
      return new Promise((resolve, reject) => {
        void parse(request, body.toString(), (error, value) => (error ? reject(error) : resolve(value)));
      });
    },
  );
}

const tooLarge = (): ProblemError => new ProblemError('invalid_request', { status: 413 });

/** @throws ProblemError for a body that is too large, in too many pieces, or not sent to its end */
async function bytesOf({ headers, raw }: FastifyRequest, payload: Readable): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES) throw tooLarge();
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    // The stream stays open, because the client gets an answer on this connection.
    for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > BODY_BYTES) throw tooLarge();
      if (pieces.length > MAX_BODY_PIECES) {
        countCostlyBody(raw.socket);
        throw new ProblemError('invalid_request', { headers: { connection: 'close' } });
      }
    }
  } catch (error) {
    // Node drops the rest only of a body that nobody has begun to read.
    payload.resume();
    throw error instanceof ProblemError ? error : new ProblemError('invalid_request');
  }
  return Buffer.concat(pieces);
}

/** For all sites of a proxy. */
export const bodyPlaces = (): FairShare => fairShare(MAX_BODIES, MAX_BODIES_OF_CLIENT);

interface BodyDeps {
  readonly bodies: FairShare;
  readonly clients: ClientAddresses;
  readonly metrics: Pick<Metrics, 'limitHit'>;
}

/** Gives each body of `scope` a place until it is read, or answered when it is large. */
export function limitBodies(scope: FastifyInstance, { bodies, clients, metrics }: BodyDeps): void {
  const reading = new WeakMap<FastifyRequest, () => void>();
  const release = (request: FastifyRequest): void => {
    reading.get(request)?.();
    reading.delete(request);
  };
  scope.addHook('onRequest', async (request, reply) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (Number(length) === 0 && coding === undefined) return;
    const place = bodies.take(clients.keyOf(request.raw));
    if (typeof place === 'string') {
      metrics.limitHit('bodies');
      throw new ProblemError(place === 'full' ? 'overloaded' : 'rate_limited', {
        headers: { 'retry-after': '1' },
        extra: { detail: 'too many bodies of requests are on their way' },
      });
    }
    reading.set(request, place);
    onRequestEnd(reply, () => release(request));
  });
  scope.addHook('preValidation', async (request) => {
    // A body in chunks does not say its length.
    if (Number(request.headers['content-length'] ?? Infinity) <= LARGE_BYTES) release(request);
  });
}

/** The body when it is an object. @throws ProblemError 400 */
export function objectBody({ body }: FastifyRequest): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw invalidFields([{ field: '', message: 'must be an object' }]);
}

interface HostRequest extends IncomingMessage {
  readonly body?: unknown;
}

/** Requests of clients that wait for 100 before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

/** Node would answer 100 before anything of the request is checked. readBodies() answers it. */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
}

/**
 * Ends the connection with an answer that comes before the end of the body: Node would parse the rest of the body for 20 s, and 40
 * connections with chunks of one byte delay all others by seconds. A short rest is left to Node, and the connection stays open.
 */
export function endUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', async ({ raw: { complete, headers, socket } }, reply) => {
    const isInChunks = headers['transfer-encoding'] !== undefined;
    if (complete || !(isInChunks || Number(headers['content-length']) > BODY_BYTES)) return;
    if (isInChunks) countCostlyBody(socket);
    reply.header('connection', 'close');
  });
}

/**
 * Asks for a body that its client holds back, unless it is too large, and takes one that the host has read.
 * @throws ProblemError `body_taken` when the host has not kept what it read
 */
export function readBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ raw, headers, is404 }, reply, payload) => {
    const length = Number(headers['content-length'] ?? 0);
    if (length <= BODY_BYTES && !is404 && waiting.has(raw)) reply.raw.writeContinue();
    const hasBody = length > 0 || headers['transfer-encoding'] !== undefined;
    if (!hasBody || !raw.readableDidRead) return payload;
    const { body } = raw as HostRequest;
    if (body === undefined) throw new ProblemError('body_taken');
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return Readable.from([bytes]);
  });
}

// What every log line of a request carries besides its id: a name for the client, and the trace that it belongs to.
// - The name is 12 hexadecimal digits of an HMAC-SHA256 of the key under which limits count the client. The key of the HMAC is
//   random, is never stored, and is replaced each day (UTC): no line leads to an address, or to the client's lines of another day.
// - Replicas have keys of their own, so one client has another name at each.
// - A `traceparent` is passed to the service and logged as it came; one that is malformed or all zeros is ignored
//   (Trace Context, 3.2.2).
import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ClientAddresses } from './limits/client-address.ts';

const NAME_DIGITS = 12;
const DAY_MS = 86_400_000;

type ClientNames = (key: string, now?: number) => string;

/** `key` is the one under which limits count the client; `now` is in milliseconds since 1970. */
export function clientNames(): ClientNames {
  let day = NaN;
  let secret = randomBytes(32);
  return (key, now = Date.now()) => {
    const today = Math.floor(now / DAY_MS);
    if (today !== day) secret = randomBytes(32);
    day = today;
    return createHmac('sha256', secret).update(key).digest('hex').slice(0, NAME_DIGITS);
  };
}

/** One for the process: a client keeps its name from the server's lines to those of a site. */
export const clientName = clientNames();

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The headers of an upstream request that continue the client's trace. */
export function traceHeaders({ headers: { traceparent } }: FastifyRequest): { traceparent?: string } {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? { traceparent } : {};
}

/** Names the client and the trace in every log line of the requests of `scope`. */
export function nameClients(scope: FastifyInstance, clients: ClientAddresses): void {
  scope.addHook('onRequest', async (request) => {
    const client = clientName(clients.keyOf(request.raw));
    request.log = request.log.child({ client, ...traceHeaders(request) });
  });
}

// The key of document 2 (Authentication): `X-API-KEY` on every request, 401 when it is absent or not the right one. Policy:
// asked for before the body is read, compared in constant time, never repeated in an answer.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { onRequestHookHandler } from 'fastify';

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** A hook that lets through what carries this key. `refuse` makes the 401 of its routes' envelope. */
export function apiKeyRequired(apiKey: string, refuse: (why: string) => Error): onRequestHookHandler {
  const right = digestOf(apiKey);
  return (request, _reply, next) => {
    const given = request.headers['x-api-key'];
    if (typeof given === 'string' && timingSafeEqual(digestOf(given), right)) next();
    else next(refuse('X-API-KEY is absent or incorrect'));
  };
}

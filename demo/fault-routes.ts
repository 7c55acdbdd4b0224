// Passes the requests of the demo page's panel of faults on to the sandbox's control route.
// - The routes exist only where the demo listens on loopback.
// - They answer only under a loopback host name, and only requests of the demo's own pages, so that no other site can break a
//   visitor's demo.
import type { FastifyPluginCallback } from 'fastify';
import { ownHosts } from './sandbox/index.ts';

const PATH = '/sandbox/faults';
const loopback = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;

/** Routes that pass faults on to `controlUrl`; none when `host` is not loopback. */
export const faultRoutes =
  (controlUrl: string, host: string): FastifyPluginCallback =>
  (site, _, done) => {
    if (loopback.test(host)) {
      site.addHook('onRequest', (request, reply, next) => {
        const from = request.headers['sec-fetch-site'];
        const isOwnPage = from === undefined || from === 'same-origin' || from === 'none';
        if (isOwnPage && ownHosts.test(request.headers.host ?? '')) next();
        else void reply.code(403).send({ error: 'only a page of the demo may ask for faults' });
      });
      site.get(PATH, async (_request, reply) => {
        const answer = await fetch(controlUrl);
        return reply.code(answer.status).send(await answer.json());
      });
      site.post(PATH, async (request, reply) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(controlUrl, {
          method: 'POST',
          headers,
          body: JSON.stringify(request.body),
        });
        return reply.code(answer.status).send(await answer.json());
      });
    }
    done();
  };

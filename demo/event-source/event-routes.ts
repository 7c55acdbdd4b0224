// The routes of the demo's live event: `POST /event` opens it, and its files are below it.
// - Only a page of this site may open it, so that no other site's page keeps this machine busy.
// - No file is cached.
import type { FastifyPluginCallback } from 'fastify';
import type { LiveEvent, Watcher } from './live-event.ts';

interface FileRoute {
  readonly Params: { readonly run: string; readonly watcher: string; readonly name: string };
}

const watchers: readonly string[] = ['page', 'service'] satisfies Watcher[];

/** Routes of `event`. */
export const eventRoutes =
  (event: LiveEvent): FastifyPluginCallback =>
  (site, _, done) => {
    site.post('/event', async (request, reply) => {
      const from = request.headers['sec-fetch-site'];
      if (from !== undefined && from !== 'same-origin')
        return reply.code(403).send({ error: 'only a page of the demo may start the event' });
      try {
        return await event.open();
      } catch (error) {
        console.error(error);
        return reply.code(503).send({ error: 'the event could not be started' });
      }
    });
    site.get<FileRoute>('/event/:run/:watcher/:name', async ({ params }, reply) => {
      const { run, watcher, name } = params;
      const file = watchers.includes(watcher) ? event.file(Number(run), watcher as Watcher, name) : null;
      if (!file) return reply.code(404).send({ error: 'no such file' });
      return reply.header('cache-control', 'no-store').type(file.type).send(file.body);
    });
    done();
  };

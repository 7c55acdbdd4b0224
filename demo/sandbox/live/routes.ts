// The live half of document 2, which this sandbox does not have yet. Policy: every route of it is there and says so, with
// 501 in the live envelope, so that nobody takes a missing route for a wrong address.
import type { FastifyPluginCallback } from 'fastify';

const NOT_YET = 'this sandbox does not have live sessions yet';

/** Document 2, Errors, envelope 2; `requestId` echoes the request's header. */
const notYet = (requestId: string | undefined) => ({
  error: {
    code: 'NOT_IMPLEMENTED',
    type: 'UNSUPPORTED_OPERATION',
    message: NOT_YET,
    ...(requestId === undefined ? {} : { requestId }),
  },
});

export const liveRoutes: FastifyPluginCallback = (app, _, done) => {
  // Whatever its body is: the answer does not depend on it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, read) => {
    payload.resume();
    payload.once('end', () => read(null));
  });
  for (const url of ['/v2/live/sessions', '/v2/live/sessions/:id']) {
    app.all(url, (request, reply) => {
      const id = request.headers['x-request-id'];
      return reply.code(501).send(notYet(Array.isArray(id) ? id[0] : id));
    });
  }
  done();
};

// The proxy in a Fastify application, by its plugin.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { carriesBodies, carriesFrames, guest, refusesByItself, type Guest } from './hosted-proxy.ts';

interface Hosted extends Guest {
  readonly origin: string;
  /** Lines of the host's own log. */
  readonly log: string[];
}

async function hosted(t: TestContext, prepare: (app: FastifyInstance) => void): Promise<Hosted> {
  const guests = await guest(t);
  const log: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void log.push(line) } } });
  prepare(app);
  await app.register(guests.proxy.plugin);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  return { ...guests, origin, log };
}

test('beside a host that parses bodies in its own way, bodies, frames and refusals are as without it', async (t) => {
  const application = await hosted(t, (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, { of: body }));
    app.setErrorHandler(async (_error, _request, reply) => reply.code(500).send('of the host'));
    app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('lost'));
  });
  await carriesBodies(application.origin, application);
  await carriesFrames(application.origin, application);
  await refusesByItself(application.origin);
});

test('a host that serves healthz, readyz or metrics itself keeps them', async (t) => {
  const { origin } = await hosted(t, (app) => {
    for (const path of ['/healthz', '/readyz', '/metrics']) app.get(path, async () => 'of the host');
  });
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal(await (await fetch(origin + path)).text(), 'of the host', path);
  }
  assert.equal((await fetch(`${origin}/sign/ws/`)).status, 426);
});

test('in the host’s own log the lines of the proxy carry the id under which the service knows the request', async (t) => {
  const { origin, log, upstream } = await hosted(t, () => undefined);
  const response = await fetch(`${origin}/sign/v1/silence`, { headers: { 'X-Request-Id': 'id-of-a-page' } });
  assert.equal(response.headers.get('x-request-id'), 'id-of-a-page');
  assert.equal((await upstream.asked.next()).request.headers['x-request-id'], 'id-of-a-page');
  const lines = log.map((line) => JSON.parse(line) as { reqId?: string; msg: string });
  const ofRequest = lines.filter(({ msg }) => /request/.test(msg));
  assert.ok(ofRequest.length > 0, log.join(''));
  for (const { reqId } of ofRequest) assert.equal(reqId, 'id-of-a-page');
});

// `elements.js`, `elements.classic.js`, the same under their built names, and their chunks. Policy: any site may load
// them (`*`, cross-origin resource policy); the entries are revalidated on each load by ETag, hashed chunks are kept for a
// year; the precompressed variant that the browser takes is sent.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ElementFile, Encoding } from '../element-files.ts';
import { onlyServe } from '../requests/only-serve.ts';
import { ProblemError } from '../problem-reply.ts';

/** What a page writes, and the file that it gets. */
const entries: Readonly<Record<string, string>> = {
  '/elements.js': 'sign-elements.js',
  '/elements.classic.js': 'sign-elements.classic.js',
  '/sign-elements.js': 'sign-elements.js',
  '/sign-elements.classic.js': 'sign-elements.classic.js',
};

export function elementRoutes(scope: FastifyInstance, files: ReadonlyMap<string, ElementFile>): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*');
    reply.header('cross-origin-resource-policy', 'cross-origin');
  });
  for (const [url, name] of Object.entries(entries)) {
    const file = files.get(name);
    scope.get(url, async (request, reply) => {
      if (!file) throw new ProblemError('elements_missing');
      return send(file, request, reply);
    });
    onlyServe(scope, url, ['GET', 'HEAD']);
  }
  scope.get<{ Params: { name: string } }>('/chunks/:name', async (request, reply) => {
    const file = files.get(`chunks/${request.params.name}`);
    if (!file) throw new ProblemError('not_found');
    return send(file, request, reply);
  });
  onlyServe(scope, '/chunks/:name', ['GET', 'HEAD']);
}

function send(file: ElementFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: file.etag, 'cache-control': file.cacheControl, vary: 'Accept-Encoding' });
  if (isFresh(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type('text/javascript; charset=utf-8');
  for (const [encoding, body] of file.encoded) {
    if (accepts(request.headers['accept-encoding'], encoding)) {
      return reply.header('content-encoding', encoding).send(body);
    }
  }
  return reply.send(file.body);
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
function isFresh(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header?.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag)) ?? false;
}

/** True when the encoding is named with a weight above 0 (RFC 9110, 12.5.3). */
function accepts(header: string | undefined, encoding: Encoding): boolean {
  return (header ?? '').split(',').some((item) => {
    const [name = '', weight = 'q=1'] = item.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && Number(weight.replace(/^q=/, '')) > 0;
  });
}

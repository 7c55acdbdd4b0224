// Serves one made source on loopback, for the sandbox to pull.
// - An address with the query `expired` is answered as an expired presigned address.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { listen } from '../../listening.ts';
import type { SourceFiles } from '../../sandbox/live/encoded-source.ts';

interface ServedSource {
  /** Address of its playlist. */
  readonly url: string;
  close(): Promise<void>;
}

async function serveSource(files: SourceFiles): Promise<ServedSource> {
  const server = createServer((request, response) => {
    const [path = '', query] = (request.url ?? '').slice(1).split('?');
    const file = files.get(path);
    if (query === 'expired') response.writeHead(403).end();
    else if (file) response.end(file);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/index.m3u8`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Makes and serves a source for `use`. */
export async function withSource(
  make: () => Promise<SourceFiles>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const source = await serveSource(await make());
  try {
    await use(source.url);
  } finally {
    await source.close();
  }
}

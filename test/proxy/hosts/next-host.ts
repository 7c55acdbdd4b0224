// A custom server of Next with the proxy in it, as a process of its own: Next's development server keeps its
// process running. The process sends its address to its parent; on the message `close` it closes only the proxy.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { listen } from '../../listening.ts';

/** The part of Next that is used here. Next's own types would require NODE_ENV in every environment of the program. */
type Next = (options: { dev: boolean; dir: string; hostname: string; port: number }) => {
  prepare(): Promise<void>;
  getRequestHandler(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
};
const [, , dir = '.'] = process.argv;
const next = createRequire(join(dir, 'package.json'))('next') as Next;

const app = next({ dev: true, dir, hostname: '127.0.0.1', port: 0 });
await app.prepare();
const handle = app.getRequestHandler();

const proxy = createSignProxy(readConfig(process.env));
const server = createServer((request, response) =>
  proxy.handler(request, response, () => void handle(request, response)),
);
proxy.attach(server);
process.on('message', () => void proxy.close());
// The test process has ended.
process.on('disconnect', () => process.exit());
const port = await listen(server);
process.send?.(`http://127.0.0.1:${port}`);

// The relay that most Fastify servers would take: @fastify/http-proxy with `websocket: true` and nothing else set.
import httpProxy from '@fastify/http-proxy';
import Fastify from 'fastify';

const [upstream = ''] = process.argv.slice(2);
const app = Fastify();
process.on('disconnect', () => process.exit());
await app.register(httpProxy, { upstream: upstream.replace(/^ws/, 'http'), websocket: true });
const address = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ port: Number(new URL(address).port) });

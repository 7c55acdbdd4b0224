// The least that Node can do as a relay: after the upgrade, bytes are piped and none of them is read.
import { createServer, request } from 'node:http';
import { listen } from './listening.ts';

const [upstream = ''] = process.argv.slice(2);
const server = createServer();
server.on('upgrade', (asked, page, head) => {
  const url = upstream.replace(/^ws/, 'http');
  const up = request(url, { headers: asked.headers, agent: false }).end();
  up.on('error', () => page.destroy());
  up.on('upgrade', (answer, service, first) => {
    const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    page.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`);
    service.unshift(first);
    page.unshift(head);
    for (const socket of [service, page]) socket.on('error', () => undefined);
    service.pipe(page).pipe(service);
    service.on('close', () => page.destroy());
    page.on('close', () => service.destroy());
  });
});
server.on('connection', (socket) => socket.setNoDelay(true));
listen(server);

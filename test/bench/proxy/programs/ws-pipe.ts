// A minimal relay with `ws`: two sockets, and each message of one is sent on the other without a check.
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { listen } from './listening.ts';

const [upstream = ''] = process.argv.slice(2);
const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (page) => {
  const service = new WebSocket(upstream, { perMessageDeflate: false });
  const early: Buffer[] = [];
  page.on('message', (data: Buffer, binary) => {
    if (service.readyState === service.OPEN) service.send(data, { binary });
    else early.push(data);
  });
  service.on('open', () => early.splice(0).forEach((data) => service.send(data, { binary: false })));
  service.on('message', (data: Buffer, binary) => page.send(data, { binary }));
  for (const [one, other] of [
    [page, service],
    [service, page],
  ] as const) {
    one.on('close', () => other.terminate());
    one.on('error', () => undefined);
  }
});
listen(server);

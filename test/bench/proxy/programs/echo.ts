// The service of the bench: sends every message back as it came.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { listen } from './listening.ts';

const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (data: Buffer, binary) => socket.send(data, { binary }));
  socket.on('error', () => undefined);
});
listen(server);

// The service of the bench: answers each text at once with a result for its id, and everything else as it came.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import { ID_AT, ID_LENGTH, REF_AT, RESULT, TEXT } from './frames.ts';
import { listen } from './listening.ts';

const result = Buffer.from(RESULT);
const server = createServer();
new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (data: Buffer, binary) => {
    if (data.length === TEXT.length) {
      const answer = Buffer.from(result);
      data.copy(answer, REF_AT, ID_AT, ID_AT + ID_LENGTH);
      socket.send(answer, { binary });
    } else {
      socket.send(data, { binary });
    }
  });
  socket.on('error', () => undefined);
});
listen(server);

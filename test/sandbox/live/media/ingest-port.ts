// Whether the ingest port of a live session is free, as the system knows it.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Binds the port and frees it again. @throws Error EADDRINUSE when it is in use */
export async function takePort(ingestUrl: string): Promise<void> {
  const port = Number(/:(\d+)/.exec(ingestUrl)![1]);
  if (ingestUrl.startsWith('rtmp')) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  } else {
    const socket = createSocket('udp4').bind(port, '127.0.0.1');
    await once(socket, 'listening');
    socket.close();
  }
}

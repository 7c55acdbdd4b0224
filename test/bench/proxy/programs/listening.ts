// The start of every program of this bench: it listens on a free port of loopback, sends the port to its parent, and ends
// with the parent.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export function listen(server: Server): void {
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

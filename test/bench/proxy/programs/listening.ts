// What every program of this bench does first: listens on a free port of loopback, tells its parent which, and ends when
// the parent does.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export function listen(server: Server): void {
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

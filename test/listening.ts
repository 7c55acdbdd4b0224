// Servers of tests, each on a free port of loopback.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as AnyServer } from 'node:net';

/** Resolves with the port of a server, which the caller closes. */
export async function listen(server: AnyServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Resolves with `http://127.0.0.1:<port>`; the server and its connections are closed with the test. */
export async function listening(
  t: { after(done: () => Promise<void>): void },
  server: Server,
): Promise<string> {
  const port = await listen(server);
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${port}`;
}

// A balancer of a few lines: it gives connections to the replicas in rotation, and skips one that does not accept.
// - It does not read the bytes that it relays.
// - A replica that was removed gets no new connections.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../listening.ts';

export interface Balancer {
  readonly port: number;
  /** The ports to which new connections may go from now on; open connections stay. */
  setReplicas(ports: readonly number[]): void;
  /** How many connections went to each port. */
  readonly taken: ReadonlyMap<number, number>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let replicas: readonly number[] = [];
  let turn = 0;
  const taken = new Map<number, number>();
  const open = new Set<Socket>();

  const pass = async (client: Socket): Promise<void> => {
    for (let tries = replicas.length; tries > 0; tries -= 1) {
      const port = replicas[(turn += 1) % replicas.length] ?? 0;
      const replica = connect(port, '127.0.0.1');
      try {
        await once(replica, 'connect');
      } catch {
        continue;
      }
      taken.set(port, (taken.get(port) ?? 0) + 1);
      for (const [from, to] of [
        [client, replica],
        [replica, client],
      ] as const) {
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
      return;
    }
    client.destroy();
  };

  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client));
    client.on('error', () => undefined);
    void pass(client);
  });
  const port = await listen(server);
  return {
    port,
    setReplicas: (ports) => (replicas = ports),
    taken,
    async close() {
      server.close();
      for (const client of open) client.destroy();
      await once(server, 'close');
    },
  };
}

// Finds a free port: for a server whose port must be known before it starts, or for an address where nothing listens.
// - It is below the range from which a system picks ports itself (from 32768 on Linux, from 49152 elsewhere), so that no
//   connection of another test has the port when it is needed, or while a server is stopped and started again.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above 10080, which browsers refuse to fetch from. */
const [LOWEST, HIGHEST] = [11_000, 32_000];

/** @returns whether the port could be bound */
async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A port of 127.0.0.1 on which nothing listened a moment ago. */
export async function freePort() {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
}

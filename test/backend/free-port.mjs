// A port for a server that has to know it beforehand, or for one that shall not be there.
// - Below those that systems give to whoever asks for any (32768 and up on Linux, 49152 elsewhere), so that no
//   connection of another test has it by the time that it is needed, nor while a server that was ended is started
//   again.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above 10080, which browsers refuse to fetch from. */
const [LOWEST, HIGHEST] = [11_000, 32_000];

/** @returns whether it could be had */
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

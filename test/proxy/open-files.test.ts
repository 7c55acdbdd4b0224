// The program where the system allows it few open files.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { addressOf, run } from './program.ts';

test('where the system allows 256 open files, 20 connections at a time are served, and the log says how many fit', async (t) => {
  const env = { PORT: '0', SIGN_API_URL: 'http://127.0.0.1:1' };
  const program = run(t, env, 'sh', '-c', 'ulimit -n 256; exec "$@"', 'sh');
  const { port } = await addressOf(program);
  const ask = async (socket: Socket): Promise<string> => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().slice(0, 'HTTP/1.1 200'.length);
  };
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'));
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  const answers = await Promise.all(sockets.map(ask));
  assert.deepEqual([...new Set(answers)], ['HTTP/1.1 200']);
  const { files, connections } = JSON.parse(await program.logged('open files')) as Record<string, number>;
  assert.deepEqual([files, connections], [256, 64]);
});

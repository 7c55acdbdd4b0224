// A failover of Redis: its name leads to a new primary, and the old one goes on as a replica that takes no writes.
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import { script } from '../../../proxy/redis/redis-client.ts';
import { listen } from '../../listening.ts';
import { REDIS_PASSWORD, redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { replica } from './replica.ts';

const WRITE = script(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000)`);

const portOf = ({ url }: RedisServer): number => Number(new URL(url).port);

/** A name for `primary`, until `lead()` gives it to another one. Connections stay where they are, as after a change in DNS. */
async function nameOf(t: TestContext, primary: RedisServer) {
  let port = portOf(primary);
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const further = connect(port, '127.0.0.1');
    socket.on('error', () => further.destroy()).on('close', () => further.destroy());
    further.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(further).pipe(socket);
  });
  t.after(() => void server.close());
  const url = `redis://:${REDIS_PASSWORD}@127.0.0.1:${await listen(server)}`;
  return { url, lead: (to: RedisServer) => void (port = portOf(to)), connections: () => connections };
}

test('after a failover, replicas share the new primary, though the old one keeps their connections', async (t) => {
  const [old, next] = [await redisServer(t), await redisServer(t)];
  const name = await nameOf(t, old);
  const { link, lines, up } = await replica(t, name.url);
  await up();
  name.lead(next);
  await old.command('REPLICAOF', '127.0.0.1', String(portOf(next)));
  assert.equal(await link.run(WRITE, ['key'], ['a']), null);
  assert.match(lines.at(-1) ?? '', /"READONLY"/);
  await up();
  assert.equal(await link.run(WRITE, ['key'], ['b']), 'OK');
  assert.equal(await next.command('GET', 'key'), 'b');
});

test('while the name still leads to the old primary, it is tried again and again, and counts as gone', async (t) => {
  const [old, next] = [await redisServer(t), await redisServer(t)];
  const name = await nameOf(t, old);
  const { link, clock, states, up } = await replica(t, name.url);
  await up();
  await old.command('REPLICAOF', '127.0.0.1', String(portOf(next)));
  for (let tries = 1; tries <= 3; tries += 1) {
    assert.equal(await link.run(WRITE, ['key'], ['a']), null);
    while (name.connections() <= tries) {
      clock.advance(1_250);
      await new Promise((go) => setTimeout(go, 5));
    }
  }
  assert.deepEqual(states, [true, false]);
  name.lead(next);
  await up();
  assert.equal(await link.run(WRITE, ['key'], ['b']), 'OK');
});

// Senders that never come to an end: the proxy loses its patience after 10 s for a head and 20 s for a body. The tests
// wait for that, side by side.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostileStage, statuses } from './stage.ts';

const stage = hostileStage();

describe('slow senders', { concurrency: true }, () => {
  const slow = async (...parts: string[]): Promise<number[]> =>
    statuses(await stage.raw(parts.map((part) => Buffer.from(part))));
  const head = 'POST /sign/v2/generate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

  test('a head that never ends: 408', async () => assert.deepEqual(await slow(`${head}X-A: `), [408]));
  test('a body that never ends: 408', async () =>
    assert.deepEqual(await slow(`${head}Content-Length: 99\r\n\r\n{`), [408]));
  test('chunks that never end: 408', async () =>
    assert.deepEqual(await slow(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`), [408]));
  test('an upgrade that never ends: 408', async () =>
    assert.deepEqual(await slow('GET /sign/ws/ HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n'), [408]));
});

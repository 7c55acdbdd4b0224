// The fuzzer's service: it answers every request and every socket at random, with the X-Request-Id as the seed, with valid answers
// and junk, and writes the proxy's secrets wherever it can: in headers, bodies, frames, pings and close reasons.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listen } from '../../listening.ts';
import { BINARY, CLOSE, CONTINUATION, frame, PING, TEXT } from '../raw-frames.ts';
import { mutated, randomOf, type Random } from './random.ts';
import { ACCESS_TOKEN, spelledSecret } from './secrets.ts';

const TOKEN_PATH = '/oauth2/token';
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

interface HostileService {
  readonly port: number;
  close(): Promise<void>;
}

export async function hostileService(): Promise<HostileService> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    let asked = '';
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    socket.on('data', (chunk) => {
      // Nothing after the head of a request is read.
      if (asked.includes('\r\n\r\n')) return;
      asked += chunk.toString('latin1');
      if (asked.includes('\r\n\r\n')) answer(socket, asked);
    });
  });
  const port = await listen(server);
  return {
    port,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(socket: Socket, asked: string): void {
  const [, mark = '0-0'] = /^x-request-id: *fuzz-(\d+-\d+)/im.exec(asked) ?? [];
  const random = randomOf(...mark.split('-').map(Number), 1);
  if (asked.startsWith(`POST ${TOKEN_PATH}`)) return void socket.end(token());
  const said = (): string =>
    asked.includes(ACCESS_TOKEN) && random.chance(0.3) ? ACCESS_TOKEN : spelledSecret(random);
  const [, key] = /^sec-websocket-key: *(\S+)/im.exec(asked) ?? [];
  const bytes = key === undefined ? response(random, said) : accepted(random, key);
  switch (random.below(12)) {
    case 0:
      return void socket.end(mutated(random, bytes));
    case 1:
      return void socket.write(bytes, () => socket.resetAndDestroy());
    case 2:
      return void socket.end(bytes.subarray(0, random.below(bytes.length)));
    case 3:
      // The socket stays open until the proxy closes it; for an incomplete answer that takes a minute.
      return void socket.write(bytes);
    default:
      return void socket.end(bytes);
  }
}

const token = (): string => {
  const body = JSON.stringify({ access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3_600 });
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
};

/** `say` gives a secret, which must not reach a client. */
function body(random: Random, say: () => string): Buffer {
  return random.pick([
    () => Buffer.from(`{"message":"${say()}","mediaUrl":"https://cdn.example/a.mp4?key=${say()}"}`),
    () =>
      Buffer.from(
        `{"id":"abc","ingestUrl":"rtmp://${say()}","outputs":[${'{"url":"'.repeat(random.below(40))}`,
      ),
    () => Buffer.from(say().repeat(1 + random.below(20))),
    () =>
      Buffer.concat([random.bytes(random.below(300)), Buffer.from(say()), random.bytes(random.below(300))]),
    () => Buffer.from('['.repeat(random.below(50_000))),
    () => Buffer.alloc(random.below(100_000), say()),
    () => Buffer.alloc(0),
  ])();
}

function response(random: Random, say: () => string): Buffer {
  const content = body(random, say);
  const status = random.pick([
    200, 200, 200, 201, 202, 204, 301, 303, 304, 400, 401, 403, 404, 429, 500, 503, 999,
  ]);
  const said = (): string => say().replace(/[^\x20-\x7e]/g, '');
  const headers: readonly [string, ...string[]] = [
    `Set-Cookie: key=${said()}`,
    `Location: https://cdn.example/${said()}`,
    `Location: javascript:${said()}`,
    `Retry-After: ${said()}`,
    `X-Request-Id: ${said()}`,
    `Cache-Control: private="${said()}"`,
    `Content-Encoding: gzip`,
    `Transfer-Encoding: chunked`,
    `Connection: ${said()}`,
    `WWW-Authenticate: Bearer realm="${said()}"`,
    `X-Long: ${'a'.repeat(random.below(20_000))}`,
  ];
  const lines = [
    `HTTP/1.1 ${status} ${random.chance(0.2) ? said() : 'Said'}`,
    `Content-Type: ${random.pick(['application/json', 'application/problem+json', 'text/html', said()])}`,
    ...(random.chance(0.8) ? [`Content-Length: ${content.length}`] : []),
    ...random.some(3, () => random.pick(headers)),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

function accepted(random: Random, key: string): Buffer {
  const accept = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${random.chance(0.9) ? accept : spelledSecret(random)}`,
    ...random.some(1, () => `Set-Cookie: ${spelledSecret(random)}`),
  ];
  if (random.chance(0.1)) return response(random, () => spelledSecret(random));
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    ...random.some(8, () => serviceFrame(random)),
  ]);
}

function serviceFrame(random: Random): Buffer {
  const masked = random.chance(0.03);
  const said = Buffer.from(`{"type":"error","code":"internal_error","message":"${spelledSecret(random)}"}`);
  const cut = random.below(said.length);
  return random.pick([
    () => frame('{"type":"session.ready","session_id":"a","limits":{}}', { masked }),
    () => frame(said, { masked }),
    () =>
      frame(
        body(random, () => spelledSecret(random)),
        { masked, opcode: random.pick([TEXT, BINARY]) },
      ),
    () =>
      Buffer.concat([
        frame(said.subarray(0, cut), { masked, flags: 0 }),
        frame(spelledSecret(random).slice(0, 125), { masked, opcode: PING }),
        frame(said.subarray(cut), { masked, opcode: CONTINUATION }),
      ]),
    () =>
      frame(Buffer.concat([Buffer.from([3, 232]), Buffer.from(spelledSecret(random)).subarray(0, 120)]), {
        masked,
        opcode: CLOSE,
      }),
    () => frame(said, { masked, length: random.pick([5n, 70_000n, 2n ** 40n]) }),
    () => frame(said, { masked, flags: random.below(16) << 4 }),
    () => mutated(random, frame(said, { masked })),
  ])();
}

// A name server on loopback that knows a few names (RFC 1035): A and AAAA records, and no such name for everything
// else.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import type { TestContext } from 'node:test';

const TYPES = { 1: 4, 28: 6 } as const;
const A = 1;
const [FAILED, NO_SUCH_NAME] = [2, 3];

interface NameServer {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  /** The requested names, in order. */
  readonly asked: string[];
}

/**
 * @param names addresses by name, IPv6 written in full
 * @param withoutA names for which a question for IPv4 addresses fails
 */
export async function nameServer(
  t: TestContext,
  names: Readonly<Record<string, readonly string[]>>,
  withoutA: readonly string[] = [],
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const family = TYPES[type as keyof typeof TYPES];
    const known = names[name];
    const fails = type === A && withoutA.includes(name);
    const code = fails ? FAILED : known === undefined ? NO_SUCH_NAME : 0;
    const found = (fails ? [] : (known ?? [])).filter((each) => isIP(each) === family);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    const answers = found.map((each) => recordOf(type, bytesOf(each)));
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record for the name of the question, which begins at byte 12; valid for a minute. */
function recordOf(type: number, data: Buffer): Buffer {
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

const bytesOf = (address: string): Buffer =>
  isIP(address) === 4
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      );

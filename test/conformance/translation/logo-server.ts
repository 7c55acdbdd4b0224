// Serves one logo on loopback, for the sandbox to fetch: a PNG of one dark square, written here byte by byte.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';
import { listen } from '../../listening.ts';

const SIDE = 32;

/** A PNG chunk: length, type, data, checksum. */
function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Grey, 8 bits, all black. */
function blackSquare(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header[8] = 8;
  // A row is a filter byte and its pixels, all zero.
  const rows = Buffer.alloc(SIDE * (SIDE + 1));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export async function serveLogo(): Promise<{ url: string; close(): Promise<void> }> {
  const file = blackSquare();
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': String(file.length) });
    response.end(file);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/logo.png`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

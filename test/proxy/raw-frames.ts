// WebSocket frames byte by byte (RFC 6455, 5.2), for tests that send frames which no library would, and read the answer.

export const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
export const FIN = 0x80;
export const RSV1 = 0x40;

export interface FrameInit {
  readonly opcode?: number;
  /** FIN and the three reserved bits; default FIN alone. */
  readonly flags?: number;
  readonly masked?: boolean;
  /** Default zeros, so that the payload can be read. */
  readonly mask?: Buffer;
  /** The length in the header, when it is not the payload's. */
  readonly length?: bigint;
}

/** One frame. */
export function frame(
  payload: string | Buffer,
  { opcode = TEXT, flags = FIN, masked = true, mask = Buffer.alloc(4), length }: FrameInit = {},
): Buffer {
  const data = Buffer.from(payload);
  const size = length ?? BigInt(data.length);
  const isMasked = masked ? 0x80 : 0;
  const head =
    size < 126n
      ? Buffer.from([flags | opcode, isMasked | Number(size)])
      : size < 65_536n
        ? Buffer.from([flags | opcode, isMasked | 126, Number(size >> 8n), Number(size & 0xffn)])
        : Buffer.concat([Buffer.from([flags | opcode, isMasked | 127]), eightBytes(size)]);
  const body = data.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat(masked ? [head, mask, body] : [head, data]);
}

function eightBytes(size: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(size);
  return bytes;
}

export interface RawFrame {
  readonly opcode: number;
  readonly isMasked: boolean;
  readonly payload: Buffer;
}

/** The whole frames at the beginning of `bytes`. */
export function framesIn(bytes: Buffer): readonly RawFrame[] {
  const frames: RawFrame[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    const short = second & 0x7f;
    const isMasked = second >= 0x80;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const start = at + 2 + lengthBytes + (isMasked ? 4 : 0);
    if (start > bytes.length) break;
    const length =
      lengthBytes === 0
        ? short
        : lengthBytes === 2
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    if (start + length > bytes.length) break;
    const mask = bytes.subarray(start - 4, start);
    const payload = bytes
      .subarray(start, start + length)
      .map((byte, index) => (isMasked ? byte ^ (mask[index % 4] ?? 0) : byte));
    frames.push({ opcode: first & 0x0f, isMasked, payload: Buffer.from(payload) });
    at = start + length;
  }
  return frames;
}

/** Code and reason of the close frame in `bytes`. */
export function closeOf(bytes: Buffer): string {
  const close = framesIn(bytes).find(({ opcode }) => opcode === CLOSE);
  if (!close) return 'none';
  const { payload } = close;
  return payload.length < 2
    ? 'no code'
    : `${payload.readUInt16BE(0)} ${payload.subarray(2).toString()}`.trim();
}

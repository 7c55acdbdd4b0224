// The video frames of an MPEG-TS file (ISO 13818-1), coded as they are: what `format=ts` of the silence endpoint
// gives.
// - The first program's first H.264 track, one frame a packet of the elementary stream, as HLS demands.
// - Times count from the first frame on, whatever the file's clock and its wrap after 26.5 hours.
// - A file may be damaged or hostile: a lost packet, a frame that is cut off and a wrong length are `malformed`; another coding
//   is `unsupported`.
// - A multiplexer may send a packet twice (2.4.3.3): the second one, with the same counter and content, is left out.
// - Nothing is allocated but one copy of the video's bytes.
import { RemuxError, assertValid, assertSupported } from '../mp4/boxes.ts';

/** One frame, in the order of decoding. */
interface CodedFrame {
  /** With start codes (H.264, annex B). */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Ticks of 90 kHz since the first frame's decoding. */
  readonly decode: number;
  /** As `decode`; may be negative. */
  readonly present: number;
}

const PACKET = 188;
const SYNC = 0x47;
const H264 = 0x1b;
const CLOCK_BITS = 33;

/** The content of one packet. */
interface Packet {
  /** A frame begins with it. */
  readonly starts: boolean;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/**
 * The frames of a file, in decoding order.
 * @param file whole packets of 188 bytes
 * @throws RemuxError
 */
export function framesOf(file: Uint8Array<ArrayBuffer>): CodedFrame[] {
  const video = videoPid(file);
  const frames: CodedFrame[] = [];
  let from: number | null = null;
  for (const bytes of payloadsOf(file, video)) {
    const { decode, present, at } = readHeader(bytes);
    from ??= decode;
    frames.push({
      bytes: bytes.subarray(at),
      decode: since(from, decode),
      present: since(from, present),
    });
  }
  return frames;
}

/** The packets with this identifier (PID), in order. */
function* packetsOf(file: Uint8Array<ArrayBuffer>, pid: number): Generator<Packet> {
  assertValid(file.length > 0 && file.length % PACKET === 0, 'not whole packets');
  let counter: number | null = null;
  let before: Uint8Array | null = null;
  for (let at = 0; at < file.length; at += PACKET) {
    const [sync = 0, high = 0, low = 0, flags = 0] = file.subarray(at, at + 4);
    assertValid(sync === SYNC, 'a packet without its sync byte');
    if ((((high & 31) << 8) | low) !== pid || !(flags & 0x10)) continue;
    assertSupported((flags & 0xc0) === 0, 'an encrypted stream');
    const next = flags & 15;
    const begin = at + 4 + (flags & 0x20 ? 1 + (file[at + 4] ?? 0) : 0);
    assertValid(begin <= at + PACKET, 'a packet that is all header');
    const payload = file.subarray(begin, at + PACKET);
    if (next === counter && String(payload) === String(before)) continue;
    assertValid(counter === null || next === ((counter + 1) & 15), 'a packet is missing');
    counter = next;
    before = payload;
    yield { starts: (high & 0x40) !== 0, payload };
  }
}

/** The header and the bytes of each frame (a PES packet), each whole. */
function* payloadsOf(file: Uint8Array<ArrayBuffer>, pid: number): Generator<Uint8Array<ArrayBuffer>> {
  const all = new Uint8Array(file.length);
  let [begin, end] = [0, 0];
  for (const { starts, payload } of packetsOf(file, pid)) {
    if (starts && end > begin) {
      yield all.subarray(begin, end);
      begin = end;
    }
    assertValid(starts || end > begin, 'a frame without its beginning');
    all.set(payload, end);
    end += payload.length;
  }
  if (end > begin) yield all.subarray(begin, end);
}

/** The content of the first section of a table, without its header of 8 bytes and its checksum. */
function tableOf(file: Uint8Array<ArrayBuffer>, pid: number): DataView {
  for (const { starts, payload } of packetsOf(file, pid)) {
    if (!starts) continue;
    const section = 1 + (payload[0] ?? 0);
    const length = (((payload[section + 1] ?? 0) & 15) << 8) | (payload[section + 2] ?? 0);
    const end = section + 3 + length - 4;
    assertSupported(end <= payload.length && end >= section + 8, 'a table over several packets');
    return new DataView(payload.buffer, payload.byteOffset + section + 8, end - section - 8);
  }
  throw new RemuxError('unsupported', `no table ${pid}`);
}

function videoPid(file: Uint8Array<ArrayBuffer>): number {
  const programs = tableOf(file, 0);
  for (let at = 0; at + 4 <= programs.byteLength; at += 4) {
    // Number 0 is the network information table.
    if (programs.getUint16(at) === 0) continue;
    const program = tableOf(file, programs.getUint16(at + 2) & 0x1fff);
    assertValid(program.byteLength >= 4, 'a program without a clock');
    for (let row = 4 + (program.getUint16(2) & 0xfff); row + 5 <= program.byteLength;) {
      if (program.getUint8(row) === H264) return program.getUint16(row + 1) & 0x1fff;
      row += 5 + (program.getUint16(row + 3) & 0xfff);
    }
    break;
  }
  throw new RemuxError('unsupported', 'no H.264 track');
}

/** Times of a frame, and where its bytes begin. */
function readHeader(bytes: Uint8Array): { decode: number; present: number; at: number } {
  assertValid(
    bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes.length >= 14,
    'a frame without a header',
  );
  const [flags = 0, length = 0] = bytes.subarray(7, 9);
  assertSupported((flags & 0x80) !== 0, 'a frame without a time');
  const present = timeAt(bytes, 9);
  const decode = flags & 0x40 ? timeAt(bytes, 14) : present;
  assertValid(9 + length < bytes.length, 'a frame without bytes');
  return { decode, present, at: 9 + length };
}

/** A time of 33 bits: 3, 15 and 15 of them, a marker bit after each (2.4.3.6). */
function timeAt(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = bytes.subarray(at, at + 5);
  return ((a >> 1) & 7) * 2 ** 30 + b * 2 ** 22 + (c >> 1) * 2 ** 15 + d * 2 ** 7 + (e >> 1);
}

/** Ticks from one time to another, negative for an earlier one: the clock starts again at 2^33. */
function since(from: number, time: number): number {
  const wrap = 2 ** CLOCK_BITS;
  const ahead = (((time - from) % wrap) + wrap) % wrap;
  return ahead < wrap / 2 ? ahead : ahead - wrap;
}

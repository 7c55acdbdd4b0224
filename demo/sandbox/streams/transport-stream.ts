// Coded frames as MPEG-TS (ISO 13818-1): one program with one video track, H.264 or H.265.
// - Written here because mediabunny begins every file with counters of 0 and writes asynchronously.
// - Every piece begins with the tables and can be joined to the previous piece, because the continuity counters go on through the
//   whole stream.
// - Every frame carries the clock: 0.2 s less than its presentation time. Times begin at 1 s, so that the clock is never below 0,
//   and wrap after 26.5 hours (33 bits).
import type { SampleDescription } from '../media/codecs.ts';
import { parameterSets, startCoded } from '../media/nal-units.ts';
import type { Sample } from '../media/video-encoder.ts';
import { FRAME_TICKS, join, TIMESCALE, u16, u32, zeros } from './fmp4.ts';

const PACKET = 188;
const PAYLOAD = PACKET - 4;
const SYNC = 0x47;
const TABLE_PID = 0;
const PROGRAM_PID = 0x1000;
const VIDEO_PID = 0x100;
/** Of the stream, and of the program in it. */
const NUMBER = 1;
const STREAM_TYPE = { avc1: 0x1b, hvc1: 0x24 } as const;
const CLOCK_DELAY = TIMESCALE / 5;

/** CRC-32 of the tables: polynomial 0x04c11db7, most significant bit first, no final inversion. */
function checksum(bytes: Uint8Array): Uint8Array {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return u32(crc >>> 0);
}

/** A table of one section as the payload of one packet. */
function table(id: number, content: Uint8Array): Uint8Array {
  const head = join(id, u16(0xb000 | (content.length + 9)), u16(NUMBER), 0xc1, 0, 0, content);
  const section = join(0, head, checksum(head));
  return join(section, zeros(PAYLOAD - section.length).fill(0xff));
}

/** A presentation time in 5 bytes, 33 bits between marker bits. */
function presentationTime(ticks: number): Uint8Array {
  const high = Math.floor(ticks / 2 ** 30) & 7;
  return join(0x21 | (high << 1), u16(((ticks >>> 14) & 0xfffe) | 1), u16(((ticks << 1) & 0xfffe) | 1));
}

/** Content of the adaptation field of a frame's first packet: flags and clock. */
function clockField(ticks: number, key: boolean): Uint8Array {
  const base = Math.floor(ticks / 2);
  return join(key ? 0x50 : 0x10, u32(base), ((ticks % 2) << 7) | 0x7e, 0);
}

interface PacketStart {
  readonly starts: boolean;
  /** Content of the adaptation field. */
  readonly field?: Uint8Array | null;
}

const wrapped = (ticks: number): number => ticks % 2 ** 33;

export class TransportStream {
  readonly #codec: 'avc1' | 'hvc1';
  readonly #parameterSets: Uint8Array;
  readonly #continuity = new Map<number, number>();

  /** @throws Error for a codec that MPEG-TS does not carry here */
  constructor({ codec, description }: SampleDescription) {
    const name = codec.slice(0, 4);
    if (name !== 'avc1' && name !== 'hvc1') throw new Error(`MPEG-TS is not for ${codec}`);
    this.#codec = name;
    this.#parameterSets = parameterSets(name, description);
  }

  /** The tables, then the frames. @param from place of the first frame on the timeline */
  write(from: number, samples: readonly Sample[]): Uint8Array<ArrayBuffer> {
    const packets = [...this.#tables()];
    for (const [i, sample] of samples.entries()) {
      packets.push(...this.#frame(TIMESCALE + (from + i) * FRAME_TICKS, sample));
    }
    return join(...packets);
  }

  *#tables(): Generator<Uint8Array> {
    const programs = table(0, join(u16(NUMBER), u16(0xe000 | PROGRAM_PID)));
    yield this.#packet(TABLE_PID, programs, { starts: true });
    const video = join(STREAM_TYPE[this.#codec], u16(0xe000 | VIDEO_PID), u16(0xf000));
    const program = join(u16(0xe000 | VIDEO_PID), u16(0xf000), video);
    yield this.#packet(PROGRAM_PID, table(2, program), { starts: true });
  }

  *#frame(ticks: number, { data, key }: Sample): Generator<Uint8Array> {
    const time = presentationTime(wrapped(ticks));
    const head = join(u32(0x1e0), u16(0), 0x80, 0x80, time.length, time);
    const bytes = join(head, startCoded(this.#codec, data, key ? this.#parameterSets : null));
    let field: Uint8Array | null = clockField(wrapped(ticks - CLOCK_DELAY), key);
    for (let at = 0; at < bytes.length;) {
      const room = PAYLOAD - (field ? 1 + field.length : 0);
      const payload = bytes.subarray(at, at + room);
      yield this.#packet(VIDEO_PID, payload, { starts: at === 0, field });
      at += payload.length;
      field = null;
    }
  }

  /**
   * One packet. An adaptation field fills the space that the payload leaves. `starts` is true when a table or a frame begins in
   * the packet.
   */
  #packet(pid: number, payload: Uint8Array, { starts, field = null }: PacketStart): Uint8Array {
    const counter = this.#continuity.get(pid) ?? 0;
    this.#continuity.set(pid, (counter + 1) & 15);
    const left = PAYLOAD - payload.length;
    const head = join(SYNC, u16((starts ? 0x4000 : 0) | pid), (left > 0 ? 0x30 : 0x10) | counter);
    if (left === 0) return join(head, payload);
    // The field's length byte does not count itself. A field without content has no flags either.
    const content = field ?? (left > 1 ? zeros(1) : zeros(0));
    return join(head, left - 1, content, zeros(left - 1 - content.length).fill(0xff), payload);
  }
}

// Adds a track of silence to segments of MPEG-TS (ISO 13818-1), because the streams of the sandbox have no sound.
// - AAC-LC, mono, 48 kHz, in ADTS (ISO 14496-3): one access unit, again and again.
const [PACKET, HEADER, TICKS] = [188, 4, 90_000];
const SOUND_PID = 0x1f0;
const UNIT_SECONDS = 1024 / 48_000;
/** An access unit of silence, with its header. */
const unit = [0xff, 0xf1, 0x4c, 0x40, 0x01, 0xbf, 0xfc, 0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];

const pidOf = (packet: Uint8Array): number => ((packet[1]! & 0x1f) << 8) | packet[2]!;
const isStart = (packet: Uint8Array): boolean => (packet[1]! & 0x40) !== 0;
/** Where the payload begins, after an adaptation field. */
const payloadAt = (packet: Uint8Array): number => HEADER + (packet[3]! & 0x20 ? 1 + packet[HEADER]! : 0);

/** The checksum of a section (ISO 13818-1, Annex A). */
function crc(bytes: readonly number[]): number[] {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return [24, 16, 8, 0].map((shift) => (sum >>> shift) & 0xff);
}

/** A packet of the program map, with one more stream. */
function mapWithSound(packet: Uint8Array): Uint8Array {
  const at = payloadAt(packet);
  const begin = at + 1 + packet[at]!;
  const length = ((packet[begin + 1]! & 0x0f) << 8) | packet[begin + 2]!;
  const section = [...packet.subarray(begin, begin + 3 + length - 4)];
  section.push(0x0f, 0xe0 | (SOUND_PID >> 8), SOUND_PID & 0xff, 0xf0, 0);
  section[2] = length + 5;
  const mapped = new Uint8Array(PACKET).fill(0xff);
  mapped.set(packet.subarray(0, begin));
  mapped.set([...section, ...crc(section)], begin);
  return mapped;
}

/** The presentation time of the first picture, in seconds. */
function startOf(packets: readonly Uint8Array[]): number {
  const times = packets.filter(isStart).flatMap((packet) => {
    const pes = packet.subarray(payloadAt(packet));
    const isVideo = pes[0] === 0 && pes[1] === 0 && pes[2] === 1 && (pes[3]! & 0xf0) === 0xe0;
    if (!isVideo) return [];
    const [a, b, c, d, e] = pes.subarray(9, 14) as unknown as [number, number, number, number, number];
    return ((a & 0x0e) * 2 ** 29 + (b << 22) + ((c & 0xfe) << 14) + (d << 7) + (e >> 1)) / TICKS;
  });
  return Math.min(...times);
}

/** The packets of this sound, which begins at this second. */
function soundPackets(second: number, units: number): Uint8Array[] {
  const ticks = Math.round(second * TICKS);
  const bits = (shift: number, mask: number): number => Math.floor(ticks / 2 ** shift) & mask;
  const time = [0x21 | (bits(30, 7) << 1), bits(22, 0xff), (bits(15, 0x7f) << 1) | 1, bits(7, 0xff)];
  const length = 8 + units * unit.length;
  const pes = [0, 0, 1, 0xc0, length >> 8, length & 0xff, 0x80, 0x80, 5, ...time, (bits(0, 0x7f) << 1) | 1];
  const all = [pes, ...Array.from({ length: units }, () => unit)].flat();
  const packets: Uint8Array[] = [];
  for (let at = 0; at < all.length;) {
    const room = PACKET - HEADER;
    const part = all.slice(at, at + room);
    const stuffed = room - part.length;
    const [flag, field] = [at === 0 ? 0x40 : 0, stuffed > 0 ? 0x20 : 0];
    const packet = new Uint8Array(PACKET).fill(0xff);
    packet.set([0x47, flag | (SOUND_PID >> 8), SOUND_PID & 0xff, 0x10 | field | (packets.length & 0x0f)]);
    if (stuffed > 0) packet.set(stuffed > 1 ? [stuffed - 1, 0] : [0], HEADER);
    packet.set(part, PACKET - part.length);
    packets.push(packet);
    at += part.length;
  }
  return packets;
}

/** The segment, which lasts this many seconds, with sound at the times of its pictures. */
export function withSilence(segment: Uint8Array<ArrayBuffer>, seconds: number): Uint8Array<ArrayBuffer> {
  const packets = Array.from({ length: segment.length / PACKET }, (_, at) =>
    segment.subarray(at * PACKET, (at + 1) * PACKET),
  );
  const program = packets.find((packet) => pidOf(packet) === 0)!;
  const at = payloadAt(program) + 1 + program[payloadAt(program)]! + 8;
  const mapPid = ((program[at + 2]! & 0x1f) << 8) | program[at + 3]!;
  const start = startOf(packets);
  const [first, end] = [start, start + seconds].map((second) => Math.round(second / UNIT_SECONDS));
  const mapped = packets.map((packet) => (pidOf(packet) === mapPid ? mapWithSound(packet) : packet));
  const all = [...mapped, ...soundPackets(first! * UNIT_SECONDS, end! - first!)];
  const bytes = new Uint8Array(all.length * PACKET);
  for (const [place, packet] of all.entries()) bytes.set(packet, place * PACKET);
  return bytes;
}

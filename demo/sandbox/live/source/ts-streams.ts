// Which video streams an MPEG-TS segment declares, by its program map (ISO/IEC 13818-1, 2.4.4).
// - The streams that its reader does not know are skipped by media-probe.ts. With this list the refusal of such a source names
//   MPEG-2, for example, and not a missing video.
// - Only the first program map within 200 packets is read.

const PACKET = 188;
const MOST_PACKETS = 200;
const PROGRAM_MAP = 2;

/** Video types that the reader does not know, with their codecs. */
const videoTypes: Readonly<Partial<Record<number, string>>> = {
  0x01: 'mpeg1',
  0x02: 'mpeg2',
  0x10: 'mpeg4',
  0x33: 'vvc',
  0xea: 'vc1',
};

/** Stream types in the section that begins with this payload; null when it is no program map. */
function typesOf(payload: Uint8Array): number[] | null {
  const at = 1 + (payload[0] ?? 0);
  if (payload[at] !== PROGRAM_MAP) return null;
  const twelve = (from: number): number => (((payload[from] ?? 0) & 0xf) << 8) | (payload[from + 1] ?? 0);
  const end = Math.min(payload.length, at + 3 + twelve(at + 1) - 4);
  const types: number[] = [];
  for (let entry = at + 12 + twelve(at + 10); entry + 5 <= end; entry += 5 + twelve(entry + 3)) {
    types.push(payload[entry]!);
  }
  return types;
}

/** The video codec that an MPEG-TS segment declares and the reader does not know; null when there is none. */
export function otherVideoOf(segment: Uint8Array): string | null {
  for (let at = 0; at + PACKET <= segment.length && at < MOST_PACKETS * PACKET; at += PACKET) {
    const begins = (segment[at + 1]! & 0x40) !== 0;
    const [hasField, hasPayload] = [(segment[at + 3]! & 0x20) !== 0, (segment[at + 3]! & 0x10) !== 0];
    if (!begins || !hasPayload) continue;
    const from = at + 4 + (hasField ? 1 + segment[at + 4]! : 0);
    const payload = segment.subarray(from, at + PACKET);
    // A program map's payload begins with a pointer, never with the start code of a PES packet.
    const isPes = payload[0] === 0 && payload[1] === 0 && payload[2] === 1;
    const types = isPes ? null : typesOf(payload);
    if (types) return types.map((type) => videoTypes[type]).find((codec) => codec !== undefined) ?? null;
  }
  return null;
}

// Boxes of an MP4 file (ISO/IEC 14496-12), written by hand so that a test can write wrong values.

/** A box of these contents; numbers are written as 32 bits. */
export function box(name: string, ...contents: readonly (number | Buffer)[]): Buffer {
  const body = Buffer.concat(contents.map((part) => (typeof part === 'number' ? word(part) : part)));
  return Buffer.concat([word(8 + body.length), Buffer.from(name, 'latin1'), body]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A fragment of track 1 that declares `samples` samples of size 0 and has no data: 88 bytes. */
export function fragmentOf(samples: number): Buffer {
  const base = box('tfhd', 0x02_0000, 1);
  const moof = box('moof', box('mfhd', 0, 1), box('traf', base, box('tfdt', 0, 0), box('trun', 0, samples)));
  return Buffer.concat([moof, box('mdat')]);
}

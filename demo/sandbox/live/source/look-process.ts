// The process that looks at the bytes of a source, and what it is told and tells. Policy: one segment at a time, in order; of
// each it tells what is known by then; it lives as long as whoever started it, whatever it is busy with, and is ended from
// outside.
import { endWithParent } from '../end-with-parent.ts';
import { SourceLook, type SeenSource } from './source-look.ts';

/** A segment to look at. */
export interface SegmentToLookAt {
  readonly bytes: Uint8Array;
  /** Its initialisation section, null when it has none. */
  readonly init: Uint8Array | null;
  readonly seconds: number;
}

/** What is known after a segment; null when the bytes are of no kind that can be read. */
export type LookNews = SeenSource | null;

const look = new SourceLook();

async function lookAt({ bytes, init, seconds }: SegmentToLookAt): Promise<LookNews> {
  try {
    await look.add(bytes, init, seconds);
    return look.seen;
  } catch {
    // What the reader says of bytes that it cannot read is of no use to whoever sent them.
    return null;
  }
}

endWithParent();
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (segment) => {
  void lookAt(segment as SegmentToLookAt).then((news) => process.send?.(news));
});

// The process that probes the bytes of a source.
// - One segment at a time, in order; after each it reports what is known.
// - It ends when its parent is gone, also while it is busy, and is ended by its parent otherwise.
import { endWithParent } from '../child-processes.ts';
import { MediaProbe, type ProbedSegment, type ProbeReport } from './media-probe.ts';

const probe = new MediaProbe();

async function probeSegment({ bytes, init, seconds }: ProbedSegment): Promise<ProbeReport> {
  try {
    await probe.add(bytes, init, seconds);
    return probe.seen;
  } catch {
    // What the reader says of bytes that it cannot read is of no use to whoever sent them.
    return null;
  }
}

endWithParent();
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (segment) => {
  void probeSegment(segment as ProbedSegment).then((news) => process.send?.(news));
});

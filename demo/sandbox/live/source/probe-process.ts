// The process that probes the bytes of a source.
// - It probes one segment at a time, in order. After each segment it reports what is known.
// - Its parent ends it. When the parent has ended, it ends itself, also while it is busy.
import { endWithParent } from '../child-processes.ts';
import { MediaProbe, type ProbedSegment, type ProbeReport } from './media-probe.ts';

const probe = new MediaProbe();

async function probeSegment({ bytes, init, seconds }: ProbedSegment): Promise<ProbeReport> {
  try {
    await probe.add(bytes, init, seconds);
    return probe.seen;
  } catch {
    // The reader's message about bytes that it cannot read does not help the sender.
    return null;
  }
}

endWithParent();
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (segment) => {
  void probeSegment(segment as ProbedSegment).then((news) => process.send?.(news));
});

// A stream thread for the service's tests that encodes nothing: each text is a part, and three texts are orders.
import { parentPort } from 'node:worker_threads';
import type { StreamOrder, StreamReport } from '../../../demo/sandbox/streams/stream-spec.ts';
import { partOf } from './stream-row.ts';

const tell = (id: string, report: StreamReport): void => parentPort?.postMessage({ id, report });
const segments = new Map<string, number>();

function sign(id: string, text: string): void {
  if (text === 'die') process.exit(1);
  if (text === 'throw') throw new Error('thrown by the thread');
  const segment = segments.get(id) ?? 0;
  segments.set(id, segment + 1);
  const bytes = text === 'large' ? new Uint8Array(40 * 1024 * 1024) : new Uint8Array(4);
  const part = partOf({ segment, from: segment * 50, frames: 50, bytes, endsSegment: true });
  tell(id, { kind: 'begun' });
  tell(id, { kind: 'part', part, isLast: false });
}

parentPort?.on('message', (order: StreamOrder) => {
  if (order.kind === 'close') process.exit();
  const { id } = order;
  if (order.kind === 'open') tell(id, { kind: 'opened', init: new Uint8Array(1), codec: 'avc1', origin: 0 });
  else if (order.kind === 'sign') sign(id, order.script.text);
  else tell(id, { kind: 'ended', problem: null });
});

// A stream thread for the service's tests that encodes nothing: each text is a part, and three texts are commands. In JavaScript,
// because a thread takes a second to load a compiler.
import { parentPort } from 'node:worker_threads';

/** @type {(id: string, report: import('../../../demo/sandbox/streams/stream-spec.ts').StreamReport) => void} */
const tell = (id, report) => parentPort?.postMessage({ id, report });
/** @type {Map<string, number>} */
const segments = new Map();

/** @param {string} id @param {string} text */
function sign(id, text) {
  if (text === 'die') process.exit(1);
  if (text === 'throw') throw new Error('thrown by the thread');
  const segment = segments.get(id) ?? 0;
  segments.set(id, segment + 1);
  const bytes = text === 'large' ? new Uint8Array(40 * 1024 * 1024) : new Uint8Array(4);
  const where = { segment, from: segment * 50, frames: 50, independent: true, discontinuity: false };
  tell(id, { kind: 'begun' });
  tell(id, { kind: 'part', part: { ...where, bytes, ts: null, endsSegment: true }, isLast: false });
}

parentPort?.on(
  'message',
  (/** @type {import('../../../demo/sandbox/streams/stream-spec.ts').StreamOrder} */ order) => {
    if (order.kind === 'close') process.exit();
    const { id } = order;
    if (order.kind === 'open')
      tell(id, { kind: 'opened', init: new Uint8Array(1), codec: 'avc1', origin: 0 });
    else if (order.kind === 'sign') sign(id, order.script.text);
    else tell(id, { kind: 'ended', problem: null });
  },
);

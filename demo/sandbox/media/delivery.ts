// How the bytes of a media answer are sent: all at once, or as a delivery fault in force demands.
// - A fault is counted when the answer begins.
// - Waits use the sandbox's clock and stop when the client goes away.
// - The next piece is written when the previous one has been sent and the event loop has run once, so that two pieces are never
//   joined into one packet.
import type { ServerResponse } from 'node:http';
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';

/** Time between two pieces of slow media when no size of the pieces is given. */
const PACE_MS = 40;

interface Delivery {
  readonly body: Uint8Array;
  /** Writes status and headers. */
  readonly begin: () => void;
  readonly response: ServerResponse;
  /** Aborts when the client has gone away. */
  readonly gone: AbortSignal;
}

interface Pace {
  /** Bytes of a piece. */
  readonly piece: number;
  /** Null for no pause between pieces. */
  readonly bytesPerSecond: number | null;
  /** Bytes after which the connection is closed, or sends nothing more. */
  readonly cut: number;
  readonly stands: boolean;
}

function send(
  { body, response, gone }: Delivery,
  { piece, bytesPerSecond, cut, stands }: Pace,
  clock: SandboxClock,
) {
  const started = clock.now();
  const end = Math.min(body.length, cut);
  let sent = 0;
  const next = (): void => {
    if (gone.aborted || (stands && sent === end)) return;
    if (sent === end) return void (end < body.length ? response.destroy() : response.end());
    const part = body.subarray(sent, Math.min(sent + piece, end));
    sent += part.length;
    response.write(part, () => {
      if (bytesPerSecond === null) return void setImmediate(next);
      const due = started + (sent / bytesPerSecond) * 1000;
      wait(clock, Math.max(0, Math.ceil(due - clock.now())), gone, next);
    });
  };
  response.flushHeaders();
  next();
}

function wait(clock: SandboxClock, ms: number, gone: AbortSignal, run: () => void): void {
  if (gone.aborted) return;
  const cancel = clock.after(ms, () => {
    gone.removeEventListener('abort', cancel);
    run();
  });
  gone.addEventListener('abort', cancel, { once: true });
}

/** Sends the body: whole, or, with a fault in force, late, slowly, in pieces or cut off. */
export function deliver(
  delivery: Delivery,
  { clock, faults }: { readonly clock: SandboxClock; readonly faults: FaultsInForce },
): void {
  const slow = faults.take('media_slow');
  const trickle = faults.take('media_trickle');
  const cut = faults.take('media_cut');
  const bytesPerSecond = slow?.bytes_per_second ?? null;
  const go = (): void => {
    delivery.begin();
    if (bytesPerSecond === null && !trickle && !cut) return void delivery.response.end(delivery.body);
    const steady = bytesPerSecond === null ? 65_536 : Math.ceil((bytesPerSecond * PACE_MS) / 1000);
    send(
      delivery,
      {
        piece: trickle?.bytes ?? steady,
        bytesPerSecond,
        cut: cut?.after_bytes ?? Infinity,
        stands: cut?.stands ?? false,
      },
      clock,
    );
  };
  if (slow?.ms !== undefined) wait(clock, slow.ms, delivery.gone, go);
  else go();
}

// What AbortSignals mean here. Policy: a rejection carries the signal's own reason, as fetch does (an AbortError unless
// the page gave another); our own clear() and end() make an AbortError.

export const abortError = (message: string): DOMException => new DOMException(message, 'AbortError');

/** Runs once when the signal aborts, at once when it already has. Returns what takes the listener away again. */
export function whenAborted(signal: AbortSignal | undefined, run: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  const abort = () => run(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

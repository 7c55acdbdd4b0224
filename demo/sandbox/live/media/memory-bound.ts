// The bound of what a session's process may take: FFmpeg reads what a source sends, and a playlist without an end for example
// grows in it until its time is over. Policy: 1 GB of memory in use, looked at four times a second; a session of the largest
// picture that is taken needs about half of that.
const MOST_BYTES = 1_000_000_000;
const ROUND_MS = 250;

/**
 * Calls `over` once, when this process takes more than it may; it does not keep the process alive.
 * @param taken bytes in use
 */
export function boundMemory(over: () => void, taken: () => number = () => process.memoryUsage.rss()): void {
  const look = (): void => {
    if (taken() > MOST_BYTES) over();
    else setTimeout(look, ROUND_MS).unref();
  };
  look();
}

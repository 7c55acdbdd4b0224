// Waits two frames, in which a moved element is back on its page.

/** Calls back after two frames, or after 250 ms on a hidden page, which has no frames; the returned function cancels it. */
export function afterTwoFrames(callback: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(fire)));
  const timer = setTimeout(fire, 250);
  function cancel(): void {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  }
  function fire(): void {
    cancel();
    callback();
  }
  return cancel;
}

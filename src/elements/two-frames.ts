// The wait between removal and teardown: two animation frames, so that an element that is only moved keeps playing.
// A hidden page has no frames, so a timer of 250 ms stands in there.

/** Calls back after two frames; the returned function calls it off. */
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

// Pauses the reading that plays when another one on the page begins to play: nobody can watch two signers at a time.
// - A signer that reads nothing is not paused, because its next text would wait for the visitor.

interface Reading {
  readonly host: HTMLElement & { readonly paused: boolean; pause(): void };
  readonly queue: { readonly isBusy: boolean };
}

/** The one that began last. */
let last: Reading | null = null;

export function playAlone(reading: Reading): void {
  reading.host.addEventListener('playing', () => {
    // A `play` event may come late, after the reading was paused.
    if (reading.host.paused || !reading.queue.isBusy || last === reading) return;
    if (last?.queue.isBusy) last.host.pause();
    last = reading;
  });
}

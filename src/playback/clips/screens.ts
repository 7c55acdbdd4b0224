// What a row of clips needs once its first text is on its way, as one chunk: nothing of it is loaded with the page.
export { fetchClip } from './clip-fetch.ts';
export { FallbackPlayer } from './fallback-player.ts';
export { IdleSigner } from './idle-signer.ts';

// Chooses the manifest of a stream and the engine that plays it.
// - HLS before DASH: it has the lower latency and the smaller player.
// - MediaSource before native HLS: Safari starts low-latency streams 10 s late, and Chromium claims native HLS and then fails.
// - Only the probes are here. Shaka and hls.js are loaded by `import()`.
import type { OpenEngine } from './engine.ts';
import { loadHls } from './hls-engine.ts';
import { openNative, playsNatively } from './native-engine.ts';

/** Addresses of one stream, http or https; null where it has none. */
export interface StreamAddresses {
  readonly hls: string | null;
  readonly dash: string | null;
}

/** `auto` prefers HLS. */
export type LiveProtocol = 'auto' | 'hls' | 'dash';

export type StreamFormat = 'hls' | 'dash';

/** The manifest to play. */
export interface ChosenStream {
  readonly url: string;
  readonly format: StreamFormat;
}

const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;

/** The preferred manifest, else the other one; null when there is none. */
export function chooseStream({ hls, dash }: StreamAddresses, protocol: LiveProtocol): ChosenStream | null {
  const hlsStream: ChosenStream | null = hls === null ? null : { url: hls, format: 'hls' };
  const dashStream: ChosenStream | null = dash === null ? null : { url: dash, format: 'dash' };
  return protocol === 'dash' ? (dashStream ?? hlsStream) : (hlsStream ?? dashStream);
}

/** @returns null when this browser cannot play such streams */
export async function loadEngine(format: StreamFormat): Promise<OpenEngine | null> {
  if (hasMediaSource()) {
    if (format === 'dash') return (await import('./dash-engine.ts')).loadDash();
    const openHls = await loadHls();
    if (openHls) return openHls;
  }
  return format === 'hls' && playsNatively() ? openNative : null;
}

// Which engine plays a stream. Policy: HLS before DASH where there are both, because it has the lower latency and the
// smaller player; MediaSource before the browser's own HLS, which starts low-latency streams some 10 s late or not at all,
// and which Chromium claims to have. The probes are here, the players come by `import()`.
import type { OpenEngine } from './engine.ts';
import { loadHls } from './hls-engine.ts';
import type { LiveProtocol, StreamAddresses } from './live-source.ts';
import { openNative, playsNatively } from './native-engine.ts';

export type StreamFormat = 'hls' | 'dash';

/** One manifest to be played. */
export interface ChosenStream {
  readonly url: string;
  readonly format: StreamFormat;
}

const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;

/** The one that was asked for, else the other; null when there is none at all. */
export function chooseStream({ hls, dash }: StreamAddresses, protocol: LiveProtocol): ChosenStream | null {
  const inHls: ChosenStream | null = hls === null ? null : { url: hls, format: 'hls' };
  const inDash: ChosenStream | null = dash === null ? null : { url: dash, format: 'dash' };
  return protocol === 'dash' ? (inDash ?? inHls) : (inHls ?? inDash);
}

/** Null where this browser plays no such streams. */
export async function loadEngine(format: StreamFormat): Promise<OpenEngine | null> {
  if (hasMediaSource()) {
    if (format === 'dash') return (await import('./dash-engine.ts')).loadDash();
    const openHls = await loadHls();
    if (openHls) return openHls;
  }
  return format === 'hls' && playsNatively() ? openNative : null;
}

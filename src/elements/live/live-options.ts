// What a page asks of a live player, as it is at one moment. Policy: junk reads as the default and is told once.
import { warnOnce } from '../../internal/warn-once.ts';
import type { LiveProtocol } from '../../playback/live/live-source.ts';

/** The signer alone, or composed onto the event's own picture. */
export type LiveView = 'signer' | 'composite';

export interface LiveOptions {
  readonly proxy: string;
  /** Id of a session; it goes before `src`. Null or empty for none. */
  readonly session: string | null;
  readonly src: string | null;
  readonly view: LiveView;
  readonly protocol: LiveProtocol;
  /** Seconds behind live, as the page has set it; null for what the stream asks for. */
  readonly targetLatency: number | null;
  /** Id of a `<video>` of the page to keep in step with. */
  readonly syncWith: string | null;
}

/** True when the two differ at most in how the same session or manifest is shown. */
export const isSameSubject = (a: LiveOptions, b: LiveOptions): boolean =>
  a.proxy === b.proxy && a.session === b.session && a.src === b.src;

/** Seconds behind live, above 0; null for what the stream asks for. */
export function targetLatencyOf({ targetLatency: asked }: LiveOptions): number | null {
  // A page may set anything.
  const seconds: unknown = asked ?? null;
  if (seconds === null) return null;
  if (typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)) return seconds;
  warnOnce('attribute target-latency', 'Sign Elements: target-latency is a number of seconds above 0.');
  return null;
}

// What a page asks of a live player, as it is at one moment.
import type { LiveProtocol } from '../playback/live/live-source.ts';

/** The signer alone, or composed onto the event's own picture. */
export type LiveView = 'signer' | 'composite';

export interface LiveWish {
  readonly proxy: string;
  /** Id of a session; it goes before `src`. Null or empty for none. */
  readonly session: string | null;
  readonly src: string | null;
  readonly view: LiveView;
  readonly protocol: LiveProtocol;
  /** Seconds behind live; null for what the stream asks for. */
  readonly targetLatency: number | null;
  /** Id of a `<video>` of the page to keep in step with. */
  readonly syncWith: string | null;
  /** What is watched from now on begins with a pause. */
  readonly held: boolean;
}

/** True when the two differ at most in how the same session or manifest is shown. */
export const isSameSubject = (a: LiveWish, b: LiveWish): boolean =>
  a.proxy === b.proxy && a.session === b.session && a.src === b.src;

// The route of streams with one stream, whose parts a test adds, and a manual clock.
import type { MediaFile, Refusal } from '../../../demo/sandbox/media/media-origin.ts';
import { presign } from '../../../demo/sandbox/media/signed-url.ts';
import { GrowingStream } from '../../../demo/sandbox/streams/growing-stream.ts';
import { prefixOf, streamRoute } from '../../../demo/sandbox/streams/stream-route.ts';
import type { StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';
import { ManualClock } from '../manual-clock.ts';
import { ORIGIN, partsOf, specOf } from './stream-parts.ts';

export const ID = 'a'.repeat(32);
export const AWAITED = 'c'.repeat(32);
const SECRET = 'secret';
export const HOUR = 3_600_000;

export class Harness {
  readonly clock = new ManualClock();
  readonly stream: GrowingStream;
  readonly route;
  readonly #clients: AbortController[] = [];

  constructor(spec: StreamSpec = specOf()) {
    this.stream = new GrowingStream(spec, this.clock);
    this.route = streamRoute({
      clock: this.clock,
      secret: SECRET,
      named: (id) => (id === ID ? this.stream : undefined),
      isAwaited: (id) => id === AWAITED,
    });
    this.stream.hear({ kind: 'opened', init: Uint8Array.of(9), codec: 'avc1.42c00d', origin: ORIGIN });
  }

  url(name: string, query = ''): URL {
    const signed = new URL(presign(SECRET, prefixOf(ID), this.clock.now() + HOUR), 'http://media.test');
    signed.pathname += name;
    return new URL(signed.href + query);
  }

  get(name: string, query = ''): Promise<MediaFile | Refusal> {
    const client = new AbortController();
    this.#clients.push(client);
    return Promise.resolve(this.route.file(this.url(name, query), client.signal));
  }

  /** Disconnects all clients. */
  leave(): void {
    for (const client of this.#clients) client.abort();
  }

  add(count: number): this {
    for (const part of partsOf(this.stream.spec, count))
      this.stream.hear({ kind: 'part', part, isLast: false });
    return this;
  }
}

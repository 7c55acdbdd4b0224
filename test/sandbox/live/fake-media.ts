// Fake media of live sessions: each run is recorded and is provisioned at once by default, and the test makes it report.
import type {
  LiveMedia,
  LiveAddresses,
  LiveRun,
  LiveState,
} from '../../../demo/sandbox/live/media/live-media.ts';
import type { LiveSpec } from '../../../demo/sandbox/live/media/live-messages.ts';

/** The signatures are valid for a day from the start of the manual clock. */
const signed = (path: string): string =>
  `http://media.test/streams/${path}?expires=1893542400000&signature=abc`;

/** The addresses of a run of this specification. */
export function addressesOf({ source, output, pictureInPicture }: LiveSpec): LiveAddresses {
  const ingest = { hls: null, rtmp: 'rtmp://127.0.0.1:1935/live/key', srt: 'srt://127.0.0.1:9000' };
  const isHls = output.kind === 'hls';
  return {
    ingestUrl: ingest[source.kind],
    hlsUrl: isHls ? signed('signer/stream.m3u8') : null,
    dashUrl: isHls ? signed('signer/manifest.mpd') : null,
    pipUrl: isHls && pictureInPicture ? signed('composite/stream.m3u8') : null,
  };
}

export class FakeRun implements LiveRun {
  readonly spec: LiveSpec;
  readonly loaded: Promise<void>;
  readonly ready: Promise<LiveAddresses>;
  /** Number of stop requests; the media stay until `stopped` is called. */
  stops = 0;
  /** Ends the stop, which rejects when there is an error. */
  stopped: (error?: Error) => void = () => {};
  load: () => void = () => {};
  provision: (addresses: LiveAddresses) => void = () => {};
  refuse: (error: Error) => void = () => {};
  readonly #listeners: ((state: LiveState) => void)[] = [];

  constructor(spec: LiveSpec) {
    this.spec = spec;
    this.loaded = new Promise((resolve) => (this.load = resolve));
    this.ready = new Promise((resolve, reject) => {
      this.provision = resolve;
      this.refuse = reject;
    });
  }

  on(report: (state: LiveState) => void): void {
    this.#listeners.push(report);
    report('pending');
  }

  stop(): Promise<void> {
    this.stops += 1;
    return new Promise((resolve, reject) => {
      this.stopped = (error) => (error ? reject(error) : resolve());
    });
  }

  report(state: LiveState): void {
    for (const listener of this.#listeners) listener(state);
  }
}

export class FakeMedia implements LiveMedia {
  readonly runs: FakeRun[] = [];
  /** Whether runs have loaded as soon as they are started. */
  loadsAtOnce = true;
  /** Whether runs are provisioned as soon as they are started. */
  atOnce = true;

  start(spec: LiveSpec): FakeRun {
    const run = new FakeRun(spec);
    this.runs.push(run);
    if (this.loadsAtOnce) run.load();
    if (this.atOnce) run.provision(addressesOf(spec));
    return run;
  }

  async close(): Promise<void> {}
}

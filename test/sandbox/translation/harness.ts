// The translation API with fake dependencies: a test finishes the media, and streams are recorded.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import Fastify, { type InjectOptions } from 'fastify';
import { hexSource } from '../../../demo/sandbox/ids.ts';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { FaultsInForce, parseFaults } from '../../../demo/sandbox/faults.ts';
import { defaultLimits, defaultNames, type FieldNames } from '../../../demo/sandbox/settings.ts';
import type { MediaSpec, OnStage } from '../../../demo/sandbox/media/media-spec.ts';
import { StreamsFull } from '../../../demo/sandbox/streams/stream-service.ts';
import type { StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';
import type { FinishedMedia } from '../../../demo/sandbox/translation/translation-media.ts';
import { translationRoutes } from '../../../demo/sandbox/translation/translation-routes.ts';
import { ManualClock } from '../manual-clock.ts';

export const KEY = 'sandbox-test-key';

/** A valid body with these options. */
export const bodyOf = (
  format: string,
  method: string,
  config?: Readonly<Record<string, unknown>>,
  content: Readonly<Record<string, unknown>> = {},
) => ({
  content: { type: 'text', data: 'Hello there', ...content },
  output: { format, delivery: { method, ...(config ? { config } : {}) } },
  context: { application: 'test' },
});

/** A stream as a test sees it. */
class FakeStream {
  readonly spec: StreamSpec;
  readonly said: (readonly [text: string, seconds: number | null])[] = [];
  hasEnd = false;
  finish: () => void = () => {};
  readonly ended = new Promise<void>((resolve) => (this.finish = resolve));
  readonly hlsUrl = 'http://media.test/streams/1/stream.m3u8?signed';
  readonly dashUrl = 'http://media.test/streams/1/manifest.mpd?signed';

  constructor(spec: StreamSpec) {
    this.spec = spec;
  }

  sign(text: string, seconds: number | null): number {
    this.said.push([text, seconds]);
    return 10;
  }

  end(): void {
    this.hasEnd = true;
  }
}

/** Requested media that are not ready yet. */
interface Asked {
  readonly spec: MediaSpec;
  readonly onStage: OnStage;
  done(media: FinishedMedia): void;
  fail(error: Error): void;
}

const filesOf = ({ container }: MediaSpec) =>
  Array.from({ length: container === 'ts' ? 6 : 1 }, (_, n) => ({ path: `/clips/${n}.${container}` }));

export class Harness {
  readonly clock = new ManualClock();
  readonly faults = new FaultsInForce();
  readonly asked: Asked[] = [];
  readonly streams: FakeStream[] = [];
  names: FieldNames = defaultNames;
  streamsAreFull = false;
  /** Whether media are ready as soon as they are requested. */
  atOnce = true;
  urlOf = (path: string, expires: number): string => `http://media.test${path}?expires=${expires}`;
  readonly #app = Fastify({ exposeHeadRoutes: false });

  constructor(t: TestContext) {
    void this.#app.register(
      translationRoutes({
        clock: this.clock,
        faults: this.faults,
        limits: () => defaultLimits,
        names: () => this.names,
        apiKey: KEY,
        newHex: hexSource(1),
        mediaOf: (spec, onStage) => this.#mediaOf(spec, onStage),
        urlOf: (path, expires) => this.urlOf(path, expires),
        streams: { open: (spec) => this.#open(spec) },
      }),
    );
    t.after(() => this.#app.close());
  }

  setFaults(...faults: Fault[]): void {
    this.faults.replace(parseFaults(faults));
  }

  /** The media that were requested last. */
  get last(): Asked {
    const last = this.asked.at(-1);
    assert.ok(last, 'media were asked for');
    return last;
  }

  /** @param key null for a request without one */
  async ask(options: InjectOptions, key: string | null = KEY) {
    const headers = { ...options.headers, ...(key === null ? {} : { 'x-api-key': key }) };
    const response = await this.#app.inject({ ...options, headers });
    const { statusCode: status, body } = response;
    return { status, headers: response.headers, body: body === '' ? null : (JSON.parse(body) as unknown) };
  }

  generate(payload: object, version: 'v1' | 'v2' = 'v2') {
    return this.ask({ method: 'POST', url: `/${version}/generate`, payload });
  }

  get(url: string) {
    return this.ask({ method: 'GET', url });
  }

  #mediaOf(spec: MediaSpec, onStage: OnStage): Promise<FinishedMedia> {
    return new Promise((resolve, reject) => {
      this.asked.push({ spec, onStage, done: resolve, fail: reject });
      if (this.atOnce) resolve({ files: filesOf(spec), durationSeconds: spec.seconds ?? 2 });
    });
  }

  #open(spec: StreamSpec): FakeStream {
    if (this.streamsAreFull) throw new StreamsFull('enough');
    const stream = new FakeStream(spec);
    this.streams.push(stream);
    return stream;
  }
}

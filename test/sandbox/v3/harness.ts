// A V3 service without encoder or network: a test finishes the clips, sockets are arrays, and the clock is manual.
import { EncodeError, type MediaSpec, type OnStage } from '../../../demo/sandbox/media/media-spec.ts';
import type { StoredMedia } from '../../../demo/sandbox/media/clip-store.ts';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { FaultsInForce } from '../../../demo/sandbox/faults.ts';
import {
  defaultLimits,
  defaultNames,
  type FieldNames,
  type SandboxLimits,
} from '../../../demo/sandbox/settings.ts';
import { StreamsFull, type LiveStream } from '../../../demo/sandbox/streams/stream-service.ts';
import type { StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';
import { V3Connection } from '../../../demo/sandbox/v3/connection.ts';
import { V3Service } from '../../../demo/sandbox/v3/service.ts';
import { ManualClock } from '../manual-clock.ts';
import { promisesSettled } from '../../promises-settled.ts';

export type Frame = Record<string, unknown> & { readonly type: string };

interface Job {
  readonly spec: MediaSpec;
  readonly onStage: OnStage;
  readonly resolve: (clip: StoredMedia) => void;
  readonly reject: (error: Error) => void;
}

/** A stream that begins to paint a text when the test says so. */
class HarnessStream implements LiveStream {
  readonly id = 'stream';
  readonly hlsUrl = 'http://media.test/stream.m3u8';
  readonly dashUrl = 'http://media.test/manifest.mpd';
  readonly cookies = [{ name: 'sandbox-signature', value: 'signed' }];
  readonly spec: StreamSpec;
  /** The texts that it got. */
  readonly texts: string[] = [];
  /** Its other calls, in order. */
  readonly orders: ('end' | 'stop')[] = [];
  readonly ended: Promise<void>;
  readonly #begun: (() => void)[] = [];
  #resolveEnded: () => void = () => {};

  constructor(spec: StreamSpec) {
    this.spec = spec;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  /** Every text is 2 s long. */
  sign(text: string, _seconds: number | null, begun: () => void = () => {}): number {
    this.texts.push(text);
    this.#begun.push(begun);
    return 2;
  }

  /** Begins to paint the oldest waiting text. */
  begin(): void {
    this.#begun.shift()?.();
  }

  async break(): Promise<void> {
    this.#resolveEnded();
    await promisesSettled();
  }

  end(): void {
    this.orders.push('end');
  }

  stop(): void {
    this.orders.push('stop');
  }
}

/** One client's end of a connection. */
export class HarnessSocket {
  /** Everything the service sent, as it was sent. */
  readonly raw: string[] = [];
  /** Close code, or `dropped`; null while open. */
  end: number | 'dropped' | null = null;
  readonly connection: V3Connection;

  constructor(service: V3Service) {
    this.connection = new V3Connection(service, {
      send: (data) => this.raw.push(data),
      close: (code) => (this.end = code),
      drop: () => (this.end = 'dropped'),
    });
  }

  get frames(): Frame[] {
    return this.raw.map((data) => JSON.parse(data) as Frame);
  }

  get last(): Frame {
    const last = this.frames.at(-1);
    if (!last) throw new Error('the service sent nothing');
    return last;
  }

  /** The frames of one type. */
  of(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** Sends an object as JSON, a string as it is. */
  send(message: object | string): this {
    this.connection.receive(typeof message === 'string' ? message : JSON.stringify(message));
    return this;
  }

  start(config: object = { digital_signer: 'RAE' }, mode: 'translate' | 'stream' = 'translate'): this {
    return this.send({ type: 'session.start', version: '3.0', mode, config });
  }

  text(id: string, data = `text ${id}`): this {
    return this.send({ type: 'text', id, data });
  }
}

export class V3Harness {
  readonly clock = new ManualClock();
  readonly faults = new FaultsInForce();
  limits: SandboxLimits = defaultLimits;
  names: FieldNames = defaultNames;
  /** Every stream that was opened. */
  readonly streams: HarnessStream[] = [];
  readonly #jobs: Job[] = [];
  readonly #stored = new Map<string, StoredMedia>();
  readonly #service: V3Service;
  #sessions = 0;

  constructor() {
    this.#service = new V3Service({
      clock: this.clock,
      faults: this.faults,
      limits: () => this.limits,
      names: () => this.names,
      newSessionId: () => `session-${++this.#sessions}`,
      clips: {
        mediaOf: (spec, onStage) =>
          new Promise((resolve, reject) => this.#jobs.push({ spec, onStage, resolve, reject })),
        named: (name) => this.#stored.get(name) ?? null,
      },
      streams: { open: (spec) => this.#openStream(spec) },
      urlOf: (path, expires) => `http://media.test${path}?expires=${expires}`,
    });
  }

  socket(): HarnessSocket {
    return new HarnessSocket(this.#service);
  }

  /** A socket with a session. */
  session(config?: object): HarnessSocket {
    return this.socket().start(config);
  }

  /** A socket with a session in stream mode. */
  streaming(config?: object): HarnessSocket {
    return this.socket().start(config, 'stream');
  }

  /** The only stream. */
  get stream(): HarnessStream {
    const [stream, ...others] = this.streams;
    if (!stream || others.length > 0) throw new Error(`${this.streams.length} streams`);
    return stream;
  }

  fault(...faults: Fault[]): void {
    this.faults.replace(faults);
  }

  /** What is being rendered, in order. */
  get rendering(): MediaSpec[] {
    return this.#jobs.map(({ spec }) => spec);
  }

  /** Completes the render of `text` (the oldest when there are several), 2 s long unless said otherwise. */
  async finish(text: string, durationSeconds = 2): Promise<void> {
    const job = this.#take(text);
    const stages = { text_to_gloss: 1, gloss_translation: 20, stream_generator: 30 };
    for (const [stage, ms] of Object.entries(stages)) job.onStage(stage as keyof typeof stages, ms);
    const files = [{ path: `/${text}`, bytes: new Uint8Array(4) }];
    const clip = { name: text, files, type: 'video/mp4', durationSeconds, stages };
    this.#stored.set(text, clip);
    job.resolve(clip);
    await promisesSettled();
  }

  async break(text: string, error: Error = new EncodeError('no encoder')): Promise<void> {
    this.#take(text).reject(error);
    await promisesSettled();
  }

  /** Loses a finished clip, as the store does when it is full. */
  lose(text: string): void {
    this.#stored.delete(text);
  }

  #openStream(spec: StreamSpec): HarnessStream {
    if (this.streams.length >= this.limits.live_streams) throw new StreamsFull('full');
    const stream = new HarnessStream(spec);
    this.streams.push(stream);
    return stream;
  }

  #take(text: string): Job {
    const at = this.#jobs.findIndex(({ spec }) => spec.text === text);
    const [job] = this.#jobs.splice(at, at < 0 ? 0 : 1);
    if (!job) throw new Error(`nothing renders "${text}"`);
    return job;
  }
}

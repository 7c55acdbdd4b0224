// A V3 service without encoder or network: clips are finished by hand, sockets are arrays, the clock is moved by hand.
import { EncodeError, type ClipSpec, type OnStage } from '../../../demo/sandbox/media/clip.ts';
import type { StoredClip } from '../../../demo/sandbox/media/clip-store.ts';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { FaultsInForce } from '../../../demo/sandbox/faults.ts';
import { defaultLimits, type SandboxLimits } from '../../../demo/sandbox/limits.ts';
import { V3Connection } from '../../../demo/sandbox/v3/connection.ts';
import { V3Service } from '../../../demo/sandbox/v3/service.ts';
import { ManualClock } from '../manual-clock.ts';

export type Frame = Record<string, unknown> & { readonly type: string };

interface Job {
  readonly spec: ClipSpec;
  readonly onStage: OnStage;
  readonly resolve: (clip: StoredClip) => void;
  readonly reject: (error: Error) => void;
}

/** One client's end of a connection. */
export class DeskSocket {
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

  start(config: object = { digital_signer: 'RAE' }): this {
    return this.send({ type: 'session.start', version: '3.0', mode: 'translate', config });
  }

  text(id: string, data = `text ${id}`): this {
    return this.send({ type: 'text', id, data });
  }
}

export class V3Desk {
  readonly clock = new ManualClock();
  readonly faults = new FaultsInForce();
  limits: SandboxLimits = defaultLimits;
  readonly #jobs: Job[] = [];
  readonly #stored = new Map<string, StoredClip>();
  readonly #service: V3Service;
  #sessions = 0;

  constructor() {
    this.#service = new V3Service({
      clock: this.clock,
      faults: this.faults,
      limits: () => this.limits,
      newSessionId: () => `session-${++this.#sessions}`,
      clips: {
        clipOf: (spec, onStage) =>
          new Promise((resolve, reject) => this.#jobs.push({ spec, onStage, resolve, reject })),
        named: (name) => this.#stored.get(name) ?? null,
      },
      urlOf: (name, expires) => `http://media.test/${name}?expires=${expires}`,
    });
  }

  socket(): DeskSocket {
    return new DeskSocket(this.#service);
  }

  /** A socket with a session. */
  session(config?: object): DeskSocket {
    return this.socket().start(config);
  }

  fault(...faults: Fault[]): void {
    this.faults.replace(faults);
  }

  /** What is being rendered, in order. */
  get rendering(): ClipSpec[] {
    return this.#jobs.map(({ spec }) => spec);
  }

  /** Completes the render of `text` (the oldest when there are several), 2 s long unless said otherwise. */
  async finish(text: string, durationSeconds = 2): Promise<void> {
    const job = this.#take(text);
    const stages = { text_to_gloss: 1, gloss_translation: 20, stream_generator: 30 };
    for (const [stage, ms] of Object.entries(stages)) job.onStage(stage as keyof typeof stages, ms);
    const clip = { name: text, bytes: new Uint8Array(4), durationSeconds, stages };
    this.#stored.set(text, clip);
    job.resolve(clip);
    await settled();
  }

  async break(text: string, error: Error = new EncodeError('no encoder')): Promise<void> {
    this.#take(text).reject(error);
    await settled();
  }

  /** Loses a finished clip, as the store does when it is full. */
  lose(text: string): void {
    this.#stored.delete(text);
  }

  #take(text: string): Job {
    const at = this.#jobs.findIndex(({ spec }) => spec.text === text);
    const [job] = this.#jobs.splice(at, at < 0 ? 0 : 1);
    if (!job) throw new Error(`nothing renders "${text}"`);
    return job;
  }
}

/** Lets every promise that is settled by now be heard. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

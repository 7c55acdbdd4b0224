// The live API with fake media and a manual clock.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import Fastify, { type InjectOptions } from 'fastify';
import { hexSource } from '../../../demo/sandbox/ids.ts';
import type { Fault } from '../../../demo/sandbox/fault-table.ts';
import { FaultsInForce, parseFaults } from '../../../demo/sandbox/faults.ts';
import {
  defaultLimits,
  defaultNames,
  type FieldNames,
  type SandboxLimits,
} from '../../../demo/sandbox/settings.ts';
import { liveRoutes } from '../../../demo/sandbox/live/live-routes.ts';
import { ManualClock } from '../manual-clock.ts';
import { FakeMedia, type FakeRun } from './fake-media.ts';

export const KEY = 'sandbox-test-key';
export const SESSIONS = '/v2/live/sessions';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Json;
}

interface ErrorBody {
  readonly code: string;
  readonly type: string;
  readonly message: string;
  readonly details?: Json;
  readonly requestId: string;
}

export class LiveHarness {
  readonly clock = new ManualClock();
  readonly faults = new FaultsInForce();
  readonly media = new FakeMedia();
  limits: SandboxLimits = { ...defaultLimits, live_sessions: 64 };
  names: FieldNames = defaultNames;
  readonly #app = Fastify({ exposeHeadRoutes: false });

  constructor(t: TestContext) {
    const { clock, faults, media } = this;
    void this.#app.register(
      liveRoutes({
        clock,
        faults,
        media,
        limits: () => this.limits,
        names: () => this.names,
        apiKey: KEY,
        newHex: hexSource(1),
      }),
    );
    t.after(() => this.#app.close());
  }

  setFaults(...faults: Fault[]): void {
    this.faults.replace(parseFaults(faults));
  }

  /** The run that was started last. */
  get run(): FakeRun {
    const run = this.media.runs.at(-1);
    assert.ok(run, 'a run was started');
    return run;
  }

  /** @param key null for a request without one */
  async ask(options: InjectOptions, key: string | null = KEY): Promise<Answer> {
    const headers = { ...options.headers, ...(key === null ? {} : { 'x-api-key': key }) };
    const { statusCode: status, body, headers: given } = await this.#app.inject({ ...options, headers });
    return { status, headers: given, body: JSON.parse(body) as Json };
  }

  create(payload: object): Promise<Answer> {
    return this.ask({ method: 'POST', url: SESSIONS, payload });
  }

  /** Creates a session, which must succeed, and returns its id. */
  async created(payload: object): Promise<string> {
    const { status, body } = await this.create(payload);
    assert.equal(status, 201, JSON.stringify(body));
    return String(body['sessionId']);
  }

  get(id: string): Promise<Answer> {
    return this.ask({ method: 'GET', url: `${SESSIONS}/${id}` });
  }

  stop(id: string): Promise<Answer> {
    return this.ask({ method: 'DELETE', url: `${SESSIONS}/${id}` });
  }

  list(cursor?: string): Promise<Answer> {
    return this.ask({ method: 'GET', url: SESSIONS, ...(cursor === undefined ? {} : { query: { cursor } }) });
  }
}

/** The error of an answer with this status. */
export function errorOf({ status, body }: Answer, expected: number): ErrorBody {
  assert.equal(status, expected, JSON.stringify(body));
  assert.deepEqual(Object.keys(body), ['error']);
  return body['error'] as ErrorBody;
}

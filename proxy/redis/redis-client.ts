// The connection to Redis (5 or later, or a compatible server) by node-redis, imported on first use: it takes 20 MB.
// - Nothing is queued without a connection. Tries to connect are at most 2 s apart.
// - A connection on which nothing comes for 5 s is replaced, when two checks in a row see nothing: between the two, the process
//   reads what arrived while it stood still. So is a connection to a Redis that has become a replica (READONLY): after a failover
//   the name has another address, and Redis does not close the connections of a primary that is replaced.
// - Of an error only its kind is reported, because the address contains a password.
// - Lua scripts read the time (TIME), decide and count in one step, so that the replicas' clocks need not agree.
// - Every key begins with `sign:` and expires. Two deployments on one Redis need a database number each.
import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';

const SILENT_MS = 5_000;
const MAX_BACKOFF_MS = 2_000;
/** No script returns a larger number: a wait in microseconds, at most for the window of the announcement budget. */
const LONGEST_WAIT_US = 301_000_000;
/** Enough for what arrives while a response is awaited. */
const MAX_PENDING = 10_000;

export interface RedisClient {
  readonly isReady: boolean;
  /**
   * Returns the result of the script. Rejects with the error of Redis or of the connection, and for a number that no script
   * returns.
   */
  run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  destroy(): void;
}

interface RedisEvents {
  /** There is a connection again. */
  ready(): void;
  /** The connection broke, or could not be made. */
  failed(error: unknown): void;
}

/** The returned function connects, and reconnects until the client is destroyed. */
export async function redisConnector(): Promise<RedisConnector> {
  const { createClient } = await import('@redis/client');
  const make = (url: string): NodeRedis =>
    createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      commandsQueueMaxLength: MAX_PENDING,
      socket: {
        connectTimeout: SILENT_MS,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, MAX_BACKOFF_MS),
      },
    });
  return (url, clock, events) => new HeardClient(() => make(url), clock, events);
}

export type RedisConnector = (url: string, clock: Pick<Clock, 'every'>, events: RedisEvents) => RedisClient;

/** What is used of a client of node-redis. */
interface NodeRedis {
  readonly isReady: boolean;
  on(event: 'ready' | 'connect' | 'error', listener: (error?: unknown) => void): unknown;
  connect(): Promise<unknown>;
  evalSha(sha1: string, options: ScriptOptions): Promise<unknown>;
  eval(text: string, options: ScriptOptions): Promise<unknown>;
  destroy(): void;
}

interface ScriptOptions {
  keys: string[];
  arguments: string[];
}

/** A client of node-redis, which is replaced by a new one when nothing is received from Redis. */
class HeardClient implements RedisClient {
  readonly #make: () => NodeRedis;
  readonly #events: RedisEvents;
  readonly #stopChecking: () => void;
  #current: NodeRedis;
  #isDestroyed = false;
  /** Whether anything came since the last check, and how many checks in a row before that saw nothing. */
  #isHeard = true;
  #silentChecks = 0;
  /** Whether the Redis of this connection has become a replica. */
  #isOfReplica = false;

  constructor(make: () => NodeRedis, clock: Pick<Clock, 'every'>, events: RedisEvents) {
    this.#make = make;
    this.#events = events;
    this.#current = this.#connected();
    this.#stopChecking = clock.every(SILENT_MS / 2, () => this.#check());
  }

  get isReady(): boolean {
    return this.#current.isReady;
  }

  async run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    const client = this.#current;
    const options = { keys: [...keys], arguments: values.map(String) };
    const result = await client
      .evalSha(script.sha1, options)
      .catch((error: unknown) => {
        if (kindOf(error) !== 'NOSCRIPT') throw error;
        return client.eval(script.text, options);
      })
      .catch((error: unknown) => {
        if (client === this.#current && isOfReplica(error)) this.#isOfReplica = true;
        throw error;
      })
      .finally(() => (this.#isHeard = true));
    // Clients would wait for as long as the number says.
    if (typeof result === 'number' && result > LONGEST_WAIT_US) throw new RangeError('too large');
    return result;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#stopChecking();
    this.#current.destroy();
  }

  #connected(): NodeRedis {
    const client = this.#make();
    /** Listens to the current client only, and not after it was destroyed. */
    const on = (event: 'ready' | 'connect' | 'error', handle: (error: unknown) => void): void => {
      client.on(event, (error) => {
        this.#isHeard = true;
        // A connection may open after destroy() was called.
        if (client === this.#current && !this.#isDestroyed) handle(error);
        else client.destroy();
      });
    };
    on('connect', () => undefined);
    on('ready', () => this.#events.ready());
    on('error', (error) => this.#events.failed(error));
    // Its failure is reported as 'error'.
    client.connect().catch(() => undefined);
    return client;
  }

  #check(): void {
    this.#silentChecks = this.#isHeard ? 0 : this.#silentChecks + 1;
    this.#isHeard = false;
    if (this.#silentChecks < 2 && !this.#isOfReplica) return;
    this.#silentChecks = 0;
    this.#isOfReplica = false;
    const before = this.#current;
    this.#current = this.#connected();
    before.destroy();
  }
}

/** Redis 5 and 6 write the word behind `ERR Error running script`. */
const isOfReplica = (error: unknown): boolean => error instanceof Error && /\bREADONLY\b/.test(error.message);

/** A word without anything of the address: `ECONNREFUSED`, `WRONGPASS`, `SocketTimeoutError`. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [word] = /^[A-Z]{3,}(?= )/.exec(error.message) ?? [];
  return word ?? error.constructor.name;
}

export interface Script {
  readonly text: string;
  /** The name under which Redis caches it. */
  readonly sha1: string;
}

export function script(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

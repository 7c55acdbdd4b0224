// The connection to Redis (5 or later, or a compatible server) by node-redis, imported on first use: it takes 20 MB.
// - Nothing is queued without a connection. A connection without traffic for 5 s is replaced; tries to connect are at most 2 s
//   apart.
// - Of an error only its kind is reported, because the address contains a password.
// - Lua scripts read the time (TIME), decide and count in one step, so that the replicas' clocks need not agree.
// - Every key begins with `sign:` and expires. Two deployments on one Redis need a database number each.
import { createHash } from 'node:crypto';

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

export interface RedisEvents {
  /** There is a connection again. */
  ready(): void;
  /** The connection broke, or could not be made. */
  failed(error: unknown): void;
}

/** The returned function connects, and reconnects until the client is destroyed. */
export async function redisConnector(): Promise<(url: string, events: RedisEvents) => RedisClient> {
  const { createClient } = await import('@redis/client');
  return (url, { ready, failed }) => {
    let isDestroyed = false;
    const client = createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
      commandsQueueMaxLength: MAX_PENDING,
      socket: {
        connectTimeout: SILENT_MS,
        socketTimeout: SILENT_MS,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, MAX_BACKOFF_MS),
      },
    });
    client.on('ready', ready);
    client.on('error', failed);
    // A connection may open after destroy() was called.
    client.on('connect', () => {
      if (isDestroyed) client.destroy();
    });
    // Its failure was reported as 'error'.
    client.connect().catch(() => undefined);

    return {
      get isReady() {
        return client.isReady;
      },
      async run(script, keys, values) {
        const options = { keys: [...keys], arguments: values.map(String) };
        const result = await client.evalSha(script.sha1, options).catch((error: unknown) => {
          if (kindOf(error) !== 'NOSCRIPT') throw error;
          return client.eval(script.text, options);
        });
        // Every client would wait for as long as it says.
        if (typeof result === 'number' && result > LONGEST_WAIT_US) throw new RangeError('too large');
        return result;
      },
      destroy() {
        isDestroyed = true;
        client.destroy();
      },
    };
  };
}

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

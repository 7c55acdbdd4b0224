// How the proxy speaks to a Redis (5 or later, or what speaks like it), with node-redis, which is loaded when there is
// something to connect to: it takes 20 MB. Policy: nothing is queued while there is no connection; one on which nothing
// moves for 5 s is replaced, again and again, at most 2 s apart. Of an error only its kind is ever told: the address
// holds a password.
import type { Script } from './script.ts';

const SILENT_MS = 5_000;
const MAX_BACKOFF_MS = 2_000;
/** At most what comes in while an answer is awaited. */
const MAX_ASKED = 10_000;

export interface RedisClient {
  readonly isReady: boolean;
  /** What the script returns. Rejects with whatever Redis or the connection says. */
  run(what: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  destroy(): void;
}

export interface RedisEvents {
  /** There is a connection again. */
  ready(): void;
  /** The connection broke, or could not be made. */
  failed(error: unknown): void;
}

/** Connects, and keeps connecting until it is destroyed. */
export async function redisClient(url: string, { ready, failed }: RedisEvents): Promise<RedisClient> {
  const { createClient } = await import('@redis/client');
  let isDestroyed = false;
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: MAX_ASKED,
    socket: {
      connectTimeout: SILENT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, MAX_BACKOFF_MS),
    },
  });
  client.on('ready', ready);
  client.on('error', failed);
  // A connection that was being made when it was destroyed comes after that.
  client.on('connect', () => {
    if (isDestroyed) client.destroy();
  });
  // Whatever it fails with was an 'error' before.
  client.connect().catch(() => undefined);

  return {
    get isReady() {
      return client.isReady;
    },
    async run(what, keys, values) {
      const options = { keys: [...keys], arguments: values.map(String) };
      try {
        return await client.evalSha(what.sha1, options);
      } catch (error) {
        if (kindOf(error) !== 'NOSCRIPT') throw error;
        return client.eval(what.text, options);
      }
    },
    destroy() {
      isDestroyed = true;
      client.destroy();
    },
  };
}

/** `ECONNREFUSED`, `WRONGPASS`, `SocketTimeoutError`: a word that holds nothing of the address. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  const [word] = /^[A-Z]{4,}(?= )/.exec(error.message) ?? [];
  return word ?? error.constructor.name;
}

// What the proxy counts, for Prometheus (`GET /metrics`). Policy: a registry of its own for each proxy, so that two in one
// process and a host's own metrics do not mix; labels take values out of the code (route templates, names of limits) and
// status codes that HTTP knows, never anything that a page or the service wrote, so the number of series is bounded;
// what is counted on every frame is a plain number until somebody reads it.
import { STATUS_CODES } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds in seconds: a hit in a cache, a look-up, a sentence being made, and the proxy's own 60 s. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What counts as an upstream answer that never came: a time-out or a connection that broke. */
export const NO_STATUS = 0;

export interface Metrics {
  /** A page's socket was let in. */
  socketOpened(): void;
  /** It has closed. */
  socketClosed(): void;
  /** A frame was relayed: `up` to the service, `down` to a page. */
  frame(direction: 'up' | 'down'): void;
  /** `route` is a path's template (`/v1/status/:job_id`); `status` is NO_STATUS when nothing was answered. */
  upstreamAnswered(route: string, status: number, seconds: number): void;
  /** Something was refused by the limit of this name. */
  limitHit(limit: string): void;
  /** The token server of the announcement API was asked. */
  tokenFetched(outcome: 'ok' | 'failed'): void;
  /** The shared store answers, or does not. Without a store nothing is ever said of it. */
  redisUp(up: boolean): void;
}

export interface MetricsReader {
  /** Everything counted so far and the figures of the process, as Prometheus reads it. */
  text(): Promise<string>;
  /** The media type of text(). */
  readonly contentType: string;
}

export function createMetrics(): Metrics & MetricsReader {
  const registry = new Registry();
  const registers = [registry];
  const sockets = { open: 0, opened: 0 };
  const frames = { up: 0, down: 0 };

  new Gauge({
    name: 'sign_proxy_sockets',
    help: 'Sockets of pages that are open now.',
    registers,
    collect() {
      this.set(sockets.open);
    },
  });
  new Counter({
    name: 'sign_proxy_sockets_opened_total',
    help: 'Sockets of pages that were let in.',
    registers,
    collect() {
      this.reset();
      this.inc(sockets.opened);
    },
  });
  new Counter({
    name: 'sign_proxy_frames_total',
    help: 'Frames relayed: up to the service, down to pages.',
    labelNames: ['direction'],
    registers,
    collect() {
      this.reset();
      this.inc({ direction: 'up' }, frames.up);
      this.inc({ direction: 'down' }, frames.down);
    },
  });
  const upstream = new Histogram({
    name: 'sign_proxy_upstream_seconds',
    help: 'Seconds from a request to the last byte of its answer; status none when there was no answer.',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const limits = new Counter({
    name: 'sign_proxy_limit_hits_total',
    help: 'What was refused, by the limit that refused it.',
    labelNames: ['limit'],
    registers,
  });
  const tokens = new Counter({
    name: 'sign_proxy_token_fetches_total',
    help: 'Access tokens asked for, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const redis = new Gauge({
    name: 'sign_proxy_redis_up',
    help: '1 while the store that replicas share answers, 0 while each replica limits alone.',
    labelNames: [],
    registers: [],
  });

  return {
    socketOpened() {
      sockets.open += 1;
      sockets.opened += 1;
    },
    socketClosed() {
      sockets.open -= 1;
    },
    frame(direction) {
      frames[direction] += 1;
    },
    upstreamAnswered: (route, status, seconds) =>
      upstream.observe({ route, status: statusLabel(status) }, seconds),
    limitHit: (limit) => limits.inc({ limit }),
    tokenFetched: (outcome) => tokens.inc({ outcome }),
    redisUp(up) {
      registry.registerMetric(redis);
      redis.set(up ? 1 : 0);
    },
    text: async () => `${await registry.metrics()}\n${await processMetrics().metrics()}`,
    contentType: registry.contentType,
  };
}

function statusLabel(status: number): string {
  if (status === NO_STATUS) return 'none';
  return STATUS_CODES[status] === undefined ? 'other' : String(status);
}

let processRegistry: Registry | null = null;

/** Of the process there is one, however many proxies are in it; nothing is measured until it is first read. */
function processMetrics(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

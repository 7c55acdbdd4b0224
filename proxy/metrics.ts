// The proxy's Prometheus metrics (`GET /metrics`).
// - Each proxy has its own registry, so that two proxies in one process and the host's metrics do not mix.
// - Label values come from the code (route templates, names of limits) or are known HTTP status codes, never from a
//   client or the service: the number of series is bounded.
// - The counts of frames are plain numbers until the metrics are read.
import { STATUS_CODES } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { linesDropped } from './log-pipe.ts';

/** Upper bounds in seconds: a cached response is in the first ones, and 60 s is the proxy's own limit. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The status of an upstream request without a response: a time-out or a broken connection. */
export const NO_STATUS = 0;

export interface Metrics {
  /** A client's socket was accepted. */
  socketOpened(): void;
  /** It has closed. */
  socketClosed(): void;
  /** The session of a socket ended; `reason` is a code of ours. */
  relayEnded(reason: string): void;
  /** A client got a response; `route` is a template. */
  answered(route: string, status: number): void;
  /** A frame was relayed: `up` to the service, `down` to a client. */
  frame(direction: 'up' | 'down'): void;
  /** `route` is the template of a path (`/v1/status/:job_id`); `status` is NO_STATUS without a response. */
  upstreamAnswered(route: string, status: number, seconds: number): void;
  /** The limit of this name refused something. */
  limitHit(limit: string): void;
  /** Seconds of video were made for a site of the configuration. */
  videoSpent(site: string, seconds: number): void;
  /** Characters of text were sent to be signed for a site. */
  charactersSpent(site: string, count: number): void;
  /** A token was requested from the token server of the announcement API. */
  tokenFetched(outcome: 'ok' | 'failed'): void;
  /** Redis answers, or does not. Never called without a Redis: then the metric is absent. */
  redisUp(up: boolean): void;
  /** Checks these parts of the service each time that the metrics are read; null for one that is not configured now. */
  watchService(parts: Readonly<Record<string, () => Promise<boolean> | null>>): void;
}

export interface MetricsReader {
  /** The metrics of the proxy and of the process, in the text format of Prometheus. */
  text(): Promise<string>;
  /** The media type of text(). */
  readonly contentType: string;
}

/** What one site has spent. */
interface Spent {
  seconds: number;
  characters: number;
}

/** Counts that are plain numbers until the metrics are read. */
interface Numbers {
  readonly sockets: { open: number; opened: number };
  readonly frames: { up: number; down: number };
  /** What each site has spent. */
  readonly spent: Map<string, Spent>;
}

function spentBy({ spent }: Numbers, site: string): Spent {
  const known = spent.get(site);
  if (known !== undefined) return known;
  const nothing = { seconds: 0, characters: 0 };
  spent.set(site, nothing);
  return nothing;
}

function exposeNumbers({ sockets, frames, spent }: Numbers, registers: Registry[]): void {
  new Gauge({
    name: 'sign_proxy_sockets',
    help: 'Client sockets that are open now.',
    registers,
    collect() {
      this.set(sockets.open);
    },
  });
  new Counter({
    name: 'sign_proxy_sockets_opened_total',
    help: 'Client sockets that were accepted.',
    registers,
    collect() {
      this.reset();
      this.inc(sockets.opened);
    },
  });
  new Counter({
    name: 'sign_proxy_frames_total',
    help: 'Frames relayed: up to the service, down to clients.',
    labelNames: ['direction'],
    registers,
    collect() {
      this.reset();
      this.inc({ direction: 'up' }, frames.up);
      this.inc({ direction: 'down' }, frames.down);
    },
  });
  new Counter({
    name: 'sign_proxy_video_seconds_total',
    help: 'Seconds of signed video, by site; those of REST are estimated.',
    labelNames: ['site'],
    registers,
    collect() {
      this.reset();
      for (const [site, { seconds }] of spent) this.inc({ site }, seconds);
    },
  });
  new Counter({
    name: 'sign_proxy_characters_total',
    help: 'Characters of the texts that were sent to be signed, by site.',
    labelNames: ['site'],
    registers,
    collect() {
      this.reset();
      for (const [site, { characters }] of spent) this.inc({ site }, characters);
    },
  });
}

/** Counts that the registry keeps. */
const countersIn = (registers: Registry[]) => ({
  relayEnds: new Counter({
    name: 'sign_proxy_relay_ends_total',
    help: 'Sessions that ended, by reason; closed means by the client.',
    labelNames: ['reason'],
    registers,
  }),
  requests: new Counter({
    name: 'sign_proxy_requests_total',
    help: 'Responses to clients, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  }),
  upstream: new Histogram({
    name: 'sign_proxy_upstream_seconds',
    help: 'Seconds from a request to the last byte of its response; status none without a response.',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers,
  }),
  limits: new Counter({
    name: 'sign_proxy_limit_hits_total',
    help: 'Refusals, by the limit that refused.',
    labelNames: ['limit'],
    registers,
  }),
  tokens: new Counter({
    name: 'sign_proxy_token_fetches_total',
    help: 'Access tokens requested, by outcome.',
    labelNames: ['outcome'],
    registers,
  }),
  /** It is registered once Redis is used. */
  redis: new Gauge({
    name: 'sign_proxy_redis_up',
    help: '1 while the Redis of the replicas answers, 0 while each replica limits alone.',
    registers: [],
  }),
});

export function createMetrics(): Metrics & MetricsReader {
  const registry = new Registry();
  const registers = [registry];
  const numbers: Numbers = {
    sockets: { open: 0, opened: 0 },
    frames: { up: 0, down: 0 },
    spent: new Map(),
  };
  const { sockets, frames } = numbers;
  exposeNumbers(numbers, registers);
  const { relayEnds, requests, upstream, limits, tokens, redis } = countersIn(registers);

  return {
    socketOpened() {
      sockets.open += 1;
      sockets.opened += 1;
    },
    socketClosed() {
      sockets.open -= 1;
    },
    frame(direction) {
      if (direction === 'up') frames.up += 1;
      else frames.down += 1;
    },
    relayEnded: (reason) => relayEnds.inc({ reason }),
    answered: (route, status) => requests.inc({ route, status: statusLabel(status) }),
    upstreamAnswered: (route, status, seconds) =>
      upstream.observe({ route, status: statusLabel(status) }, seconds),
    limitHit: (limit) => limits.inc({ limit }),
    videoSpent: (site, seconds) => void (spentBy(numbers, site).seconds += seconds),
    charactersSpent: (site, count) => void (spentBy(numbers, site).characters += count),
    tokenFetched: (outcome) => tokens.inc({ outcome }),
    redisUp(up) {
      registry.registerMetric(redis);
      redis.set(up ? 1 : 0);
    },
    watchService: (parts) =>
      void new Gauge({
        name: 'sign_proxy_service_up',
        help: '1 while this part of the service answers the proxy, 0 while it does not.',
        labelNames: ['part'],
        registers,
        async collect() {
          const checks = Object.entries(parts).map(async ([part, check]) => {
            const isUp = await check();
            if (isUp === null) this.remove({ part });
            else this.set({ part }, isUp ? 1 : 0);
          });
          await Promise.all(checks);
        },
      }),
    text: async () => `${await registry.metrics()}\n${await processMetrics().metrics()}`,
    contentType: registry.contentType,
  };
}

function statusLabel(status: number): string {
  if (status === NO_STATUS) return 'none';
  return STATUS_CODES[status] === undefined ? 'other' : String(status);
}

let processRegistry: Registry | null = null;

/** One registry for the process, whatever the number of proxies. Nothing is measured before the first read. */
function processMetrics(): Registry {
  if (processRegistry === null) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    new Counter({
      name: 'sign_proxy_log_lines_dropped_total',
      help: 'Log lines that were dropped, because nobody read those before them.',
      registers: [processRegistry],
      collect() {
        this.reset();
        this.inc(linesDropped());
      },
    });
  }
  return processRegistry;
}

// The servers that a proxy makes itself: one for pages, whose routing a Node handler uses too, and one for health and metrics
// (SIGN_OPERATIONS_PORT).
// - Both are made on first use: a proxy that is mounted as a plugin needs neither.
// - At the end, connections on which nothing has come are ended. Node takes them for busy and waits 10 s for their requests, in
//   which nobody is served where there is one replica. Browsers and balancers open such connections in advance.
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Redactor } from './credentials/redaction.ts';
import { limitAnswers } from './limits/answers.ts';
import { limitConnections, warnOfFewFiles } from './limits/connections.ts';
import type { Metrics } from './metrics.ts';
import { type Drain, endConnections } from './relay/drain.ts';
import { answerExpectations, readBodies } from './routes/json-body.ts';
import { hostToListen, standaloneServer, warnOfOpenHost } from './standalone.ts';

/** The time that pending requests have when the proxy closes. */
const LAST_REQUEST_MS = 10_000;
/** The longest time from a connection to the first bytes of its request, on a slow network. */
const SILENT_MS = 2_000;
const CHECK_EVERY_MS = 250;

interface OwnServersDeps {
  readonly config: Config;
  /** The sites now: a reload may bring others. */
  readonly sites: () => Config['sites'];
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly drain: Pick<Drain, 'begun'>;
  readonly metrics: Metrics;
  readonly plugin: FastifyPluginAsync;
}

export class OwnServers {
  readonly #deps: OwnServersDeps;
  #pages: FastifyInstance | null = null;
  /** Only listen() starts it. */
  #operations: FastifyInstance | null = null;
  /** The open connections of pages, with the time by the clock at which each was opened. */
  readonly #opened = new Map<Socket, number>();

  constructor(deps: OwnServersDeps) {
    this.#deps = deps;
  }

  /** The one for pages, with the proxy mounted. */
  get pages(): FastifyInstance {
    if (this.#pages !== null) return this.#pages;
    const { config, redactor, drain, plugin } = this.#deps;
    const app = standaloneServer(redactor, { limits: config });
    this.#pages = app;
    answerExpectations(app.server);
    readBodies(app);
    endConnections(app, drain);
    void app.register(plugin);
    return app;
  }

  /** The one for health and metrics; null without a port of its own, and before listen(). */
  get operations(): FastifyInstance | null {
    return this.#operations;
  }

  /** Resolves with the address of the one for pages, as a URL without a path. */
  async listen(): Promise<string> {
    const { config, redactor } = this.#deps;
    if (config.operationsPort !== null) {
      this.#operations = standaloneServer(redactor, { limits: config });
      this.#limit(this.#operations.server);
    }
    const app = this.pages;
    this.#limit(app.server);
    app.server.on('connection', (socket) => this.#watch(socket));
    warnOfOpenHost(config, app.log);
    warnOfFewFiles(app.log);
    const host = await hostToListen(config.host);
    await app.listen({ host, port: config.port });
    await this.#operations?.listen({ host, port: config.operationsPort ?? 0 });
    const { address, family, port } = app.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  async close(): Promise<void> {
    if (this.#pages === null) return;
    const { server } = this.#pages;
    const { clock } = this.#deps;
    const stopWaiting = clock.after(LAST_REQUEST_MS, () => server.closeAllConnections());
    const stopChecking = clock.every(CHECK_EVERY_MS, () => this.#endSilent());
    await this.#pages.close();
    stopWaiting();
    stopChecking();
    this.#operations?.server.closeAllConnections();
    await this.#operations?.close();
  }

  #watch(socket: Socket): void {
    this.#opened.set(socket, this.#deps.clock.now());
    socket.once('close', () => this.#opened.delete(socket));
  }

  #endSilent(): void {
    const before = this.#deps.clock.now() - SILENT_MS;
    for (const [socket, openedAt] of this.#opened)
      if (socket.bytesRead === 0 && openedAt <= before) socket.destroy();
  }

  #limit(server: Server): void {
    const { config, sites, clock, metrics } = this.#deps;
    limitConnections(server, config, { clock, metrics, sites });
    limitAnswers(server, { clock, metrics });
  }
}

// Several sites behind one prefix (SIGN_SITES): each request goes to the routes of its site.
// - Each site is a Fastify instance of its own that does not listen: nothing of one site can reach another, and a reload
//   replaces whole instances. A replaced one is closed after its last response; its sockets stay open.
// - The instance is made at the first request of the site, because it takes 7 ms and 0.5 MB, and a file may have
//   many sites that get no request.
// - A request goes to the site of its ticket, which the site checks itself; else to that of its Origin, which answers so that the
//   page can read it. Without an Origin it goes to the site of its operator token, else to the one that lists the proxy's own
//   address, else to the only site there is. A request that fits no site is 403 `origin_refused`, with a ticket 401
//   `ticket_refused`.
// - A reload keeps the open sockets of a site, the ids of its announcements, and the counts of each limit that has not changed, so
//   that no client gets a limit twice. Counts that no site uses are dropped.
// - The caps of a reload apply at once to open sessions. A session of a removed site ends at its next frame, as over a cap.
import { isDeepStrictEqual } from 'node:util';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import { type Credentials, credentialsOf } from '../credentials/credentials.ts';
import { bearerOf, type Operator, operatorWith } from '../credentials/operator.ts';
import { type Limits, limitsOf } from '../limits/limits.ts';
import type { SocketCount } from '../limits/sockets.ts';
import { NOTHING_LEFT, type Spending } from '../limits/spending.ts';
import { endConnections } from '../relay/drain.ts';
import { endUnreadBodies, readBodies } from '../routes/json-body.ts';
import { commonHeaders, ProblemError, problemReplies, requestId } from '../problem.ts';
import { nameClients } from '../request-log.ts';
import { MAX_PATH_PARAMETER } from '../routes/forward.ts';
import { ownOrigin } from '../routes/guard.ts';
import { claimsOf, ticketOf } from './tickets.ts';
import { type SharedDeps, siteRoutes } from './site-routes.ts';

interface Site {
  readonly config: Config;
  readonly limits: Limits;
  readonly operator: Operator;
  /** Whether the replicas may share an access token that was fetched with a client secret from before. */
  hasOldToken: boolean;
  /** Made by the first call. */
  app(): Promise<FastifyInstance>;
  close(): Promise<void>;
  /** Requests without a response. */
  pending: number;
}

interface SitesDeps extends SharedDeps {
  /** The credentials of all sites, for their redactor. */
  readonly credentials: Credentials;
  readonly log: FastifyBaseLogger;
  readonly sockets: SocketCount;
}

export class Sites {
  readonly #deps: SitesDeps;
  #current: readonly Site[] = [];
  /** The current ones, and replaced ones with pending requests. */
  readonly #open = new Set<Site>();

  constructor(deps: SitesDeps) {
    this.#deps = deps;
  }

  /** Takes these sites in place of the current ones, without closing a socket. */
  replace(configs: readonly Config[]): void {
    const names = new Set(configs.map(({ site }) => site));
    const gone = this.#current.filter(({ config }) => !names.has(config.site));
    for (const { config } of gone) this.#deps.spendingOf({ ...config, ...NOTHING_LEFT });
    this.#current = configs.map((config) => this.#siteOf(config));
    for (const site of this.#open) this.#closeIfReplaced(site);
  }

  /** Answers every request under the prefix. */
  routes(scope: FastifyInstance): void {
    scope.all('/*', {
      onRequest: (request, reply) => this.#pass(request, reply),
      handler: () => undefined,
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((site) => site.close()));
  }

  async #pass(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const site = this.#chosen(request);
    if (site === undefined)
      throw new ProblemError(ticketOf(request.raw) === null ? 'origin_refused' : 'ticket_refused');
    // The log of the proxy and that of the site then have one id.
    request.raw.headers['x-request-id'] = request.id;
    // The response of an upgrade is never closed, and needs nothing that a closed instance does not have.
    if (this.#deps.upgrades.get(request.raw) === undefined) {
      site.pending += 1;
      reply.raw.once('close', () => {
        site.pending -= 1;
        this.#closeIfReplaced(site);
      });
    }
    const app = await site.app();
    reply.hijack();
    app.routing(request.raw, reply.raw);
  }

  /** The site that a request belongs to. */
  #chosen(request: FastifyRequest): Site | undefined {
    const ticket = ticketOf(request.raw);
    const { site: named } = (ticket === null ? null : claimsOf(ticket)) ?? {};
    const byTicket = this.#current.find(({ config }) => config.site === named);
    if (byTicket !== undefined) return byTicket;
    const listing = (origin: string | null): Site | undefined =>
      this.#current.find(({ config }) => config.allowedOrigins.includes(origin ?? ''));
    const { origin } = request.headers;
    if (origin !== undefined) return listing(origin);
    const bearer = bearerOf(request);
    return (
      this.#current.find(({ operator }) => operator.isBearer(bearer)) ??
      listing(ownOrigin(request.raw, this.#deps.clients)) ??
      (this.#current.length === 1 ? this.#current[0] : undefined)
    );
  }

  /** The current site of this configuration, or a new one. */
  #siteOf(config: Config): Site {
    const { clock, link, sockets, spendingOf } = this.#deps;
    const ofName = [...this.#open].filter((site) => site.config.site === config.site);
    const known = ofName.find(
      (site) => this.#current.includes(site) && isDeepStrictEqual(site.config, config),
    );
    if (known) return known;
    const before = ofName.at(-1);
    const limits = keptLimits(before, config, limitsOf(config, clock, link, sockets));
    // It is made here and not with the instance, because before that another reload may bring other caps.
    const spending = spendingOf(config);
    let app: Promise<FastifyInstance> | undefined;
    const site: Site = {
      config,
      limits,
      operator: operatorWith(() => config.operatorToken),
      hasOldToken:
        link !== null && before !== undefined && (before.hasOldToken || hasNewSecret(before, config)),
      app: () => (app ??= this.#appOf(site, spending)),
      close: async () => (await app)?.close(),
      pending: 0,
    };
    this.#open.add(site);
    return site;
  }

  async #appOf(site: Site, spending: Spending): Promise<FastifyInstance> {
    const { config, limits } = site;
    const credentials = credentialsOf(config, this.#deps.credentials.redactor);
    const replyWithProblem = problemReplies(credentials.redactor);
    const app = siteServer(this.#deps.log.child({ site: config.site }), replyWithProblem);
    nameClients(app, this.#deps.clients);
    endConnections(app, this.#deps.drain);
    app.setErrorHandler(replyWithProblem);
    app.setNotFoundHandler(async () => {
      throw new ProblemError('not_found');
    });
    const own = { ...this.#deps, config, credentials, limits, spendingOf: () => spending };
    let renewToken = async (): Promise<void> => undefined;
    await app.register(
      async (scope) => {
        renewToken = siteRoutes(scope, own);
      },
      { prefix: config.path },
    );
    await app.ready();
    // A failure is logged by accessTokens(), and the next request tries again.
    if (site.hasOldToken) renewToken().catch(() => undefined);
    site.hasOldToken = false;
    return app;
  }

  #closeIfReplaced(site: Site): void {
    if (site.pending > 0 || this.#current.includes(site) || !this.#open.delete(site)) return;
    void site.close();
  }
}

const hasNewSecret = ({ config }: Site, next: Config): boolean =>
  config.transport?.clientSecret !== next.transport?.clientSecret;

/** The new limits, with the counts of the site before for all that have not changed, and with its open sockets. */
function keptLimits(before: Site | undefined, config: Config, next: Limits): Limits {
  if (before === undefined) return next;
  const from = (name: keyof Config): Limits => (before.config[name] === config[name] ? before.limits : next);
  const { budget, ids, sockets } = before.limits;
  return {
    requests: from('requestsPerMinute').requests,
    messages: from('messagesPerMinute').messages,
    generates: from('generatesPerMinute').generates,
    sockets: sockets.withLimit(config.maxSocketsPerClient),
    budget,
    ids,
  };
}

/** An instance that does not listen; requests are passed to it. */
function siteServer(
  log: FastifyBaseLogger,
  frameworkErrors: ReturnType<typeof problemReplies>,
): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    genReqId: requestId,
    return503OnClosing: false,
    frameworkErrors,
  });
  readBodies(app);
  endUnreadBodies(app);
  app.addHook('onRequest', async (request, reply) => void reply.headers(commonHeaders(request)));
  return app;
}

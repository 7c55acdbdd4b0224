// Sends a ticket with what a session asks of a proxy that requires one (docs/proxy.md, Tickets).
// - A ticket is `keyId.payload.mac`. Anything else is an address of the page's own origin that answers one as text.
// - The ticket that an address answers is used for 30 s. Its expiry is not read, because it is a time of the server's clock. When
//   the proxy refuses the ticket earlier, another is requested once, and the request made again; a refused request costs nothing.
// - An address that does not answer within 5 s, or answers 429, a 5xx or a page of HTML, may give a ticket later: the error is
//   `proxy_unreachable`, which is retried because nothing was sent. Any other answer is `ticket_refused`, which is final.
// - A page cannot set a header of an upgrade: there the ticket is in the query, `?ticket=`. It is sent to no other address.
import { httpUrl } from '../protocol/http-url.ts';
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import { PROBLEM_TYPE } from '../protocol/problem.ts';
import { configuredFetch, type Fetch } from './diagnose-upgrade.ts';
import { isPage } from './rest/find-proxy.ts';
import type { SocketConstructor, SocketLike } from './transports/v3-socket.ts';

const TICKET = /^[^./?]+\.[\w-]+\.[\w-]+$/;
const USE_MS = 30_000;
const ANSWER_MS = 5_000;
/** What the proxy answers at the address of its socket to a request that would be let through. */
const UPGRADE_REQUIRED = 426;

class Tickets {
  /** A ticket, or an address that answers one. */
  readonly #source: string;
  #request: Promise<string> | null = null;
  #requestedAt = 0;
  /** The ticket that was answered last; null once it was refused. */
  #answered: string | null = null;

  constructor(source: string) {
    this.#source = source;
  }

  /** Rejects with a SignError. */
  async get(): Promise<string> {
    if (TICKET.test(this.#source)) return this.#source;
    if (Date.now() - this.#requestedAt > USE_MS) this.#request = null;
    if (this.#request) return this.#request;
    const request = (this.#request = requestTicket(this.#source));
    this.#requestedAt = Date.now();
    request.then(
      (ticket) => (this.#answered = ticket),
      () => this.#request === request && (this.#request = null),
    );
    return request;
  }

  /** The proxy has refused this ticket. False when there is no other. */
  refused(ticket: string): boolean {
    if (ticket === this.#source) return false;
    // Another request with the same ticket may already have asked for the next one.
    if (ticket === this.#answered) this.#answered = this.#request = null;
    return true;
  }
}

async function requestTicket(address: string): Promise<string> {
  const href = httpUrl(address, document.baseURI) ?? address;
  const refused = (why: string): SignError => ownError('ticket_refused', `no ticket from ${href}: ${why}`);
  // In a frame with `srcdoc` the origin of `location` is `null`, and that of the window is the page's.
  if (!href.startsWith(`${origin}/`)) throw refused('no address of this origin');
  const away = (why: string, cause?: unknown): SignError =>
    ownError('proxy_unreachable', `no ticket from ${href}: ${why}`, { cause });
  let answer: Response;
  let ticket: string;
  try {
    answer = await fetch(href, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    ticket = (await answer.text()).trim();
  } catch (cause) {
    throw away('no answer', cause);
  }
  const { ok, status } = answer;
  if (ok && TICKET.test(ticket)) return ticket;
  throw status >= 500 || status === 429 || (ok && isPage(answer)) ? away(`${status}`) : refused(`${status}`);
}

/** The `fetch` and the WebSocket of a session. */
export function withTicket(source: string): {
  readonly fetch: Fetch;
  readonly webSocket: SocketConstructor;
} {
  const tickets = new Tickets(source);
  return {
    fetch: async (address, init) => {
      // Scripts and `no-cors` requests carry no ticket: they are open to all, and their answers permit no header of a page (CORS).
      if (address.endsWith('.js') || init.mode === 'no-cors') return configuredFetch(address, init);
      try {
        const ticket = await tickets.get();
        const answer = await configuredFetch(address, headed(init, ticket));
        if (!(await isRefused(answer)) || !tickets.refused(ticket)) return answer;
        const again = await configuredFetch(address, headed(init, await tickets.get()));
        // This request asks why a socket was refused (diagnose-upgrade.ts): the ticket of the socket was too old, and the next
        // socket has another one.
        const isSocket = again.status === UPGRADE_REQUIRED;
        return isSocket ? problemOf(ownError('proxy_unreachable', 'the ticket was too old')) : again;
      } catch (error) {
        if (error instanceof SignError) return problemOf(error);
        throw error;
      }
    },
    webSocket: class extends TicketSocket {
      constructor(url: string) {
        super(tickets.get().then((ticket) => new WebSocket(`${url}?ticket=${encodeURIComponent(ticket)}`)));
      }
    },
  };
}

const headed = (init: RequestInit, ticket: string): RequestInit => {
  const headers = new Headers(init.headers);
  headers.set('x-sign-ticket', ticket);
  return { ...init, headers };
};

async function isRefused(answer: Response): Promise<boolean> {
  if (answer.status !== 401) return false;
  const problem = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return problem?.code === 'ticket_refused';
}

/** The same error as a refusal by the proxy. */
const problemOf = ({ code, message, retryable }: SignError): Response =>
  new Response(JSON.stringify({ code, detail: message }), {
    status: retryable ? 503 : 401,
    headers: { 'content-type': PROBLEM_TYPE },
  });

type Listener = Parameters<SocketLike['addEventListener']>;

/** A socket that is made once its ticket is there. */
class TicketSocket implements SocketLike {
  #socket: SocketLike | null = null;
  #isClosed = false;
  #listeners: Listener[] = [];

  constructor(opening: Promise<SocketLike>) {
    opening.then(
      (socket) => {
        this.#socket = socket;
        for (const listener of this.#listeners) socket.addEventListener(...listener);
        if (this.#isClosed) socket.close();
      },
      // As the proxy does, the close has the code of the error as its reason (RFC 6455, 7.4.1: 1008 is a refusal).
      (error: unknown) => {
        // Where the page may open no socket, `new WebSocket()` throws a DOMException, whose code is a number.
        const reason = error instanceof SignError ? error.code : 'proxy_unreachable';
        for (const [type, listener] of this.#listeners)
          if (type === 'close') listener({ type, code: 1008, reason });
      },
    );
  }

  get readyState(): number {
    return this.#socket?.readyState ?? WebSocket.CONNECTING;
  }

  send(data: string): void {
    this.#socket?.send(data);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  addEventListener(...listener: Listener): void {
    this.#listeners.push(listener);
    this.#socket?.addEventListener(...listener);
  }

  removeEventListener(...listener: Listener): void {
    this.#listeners = this.#listeners.filter(([type, run]) => type !== listener[0] || run !== listener[1]);
    this.#socket?.removeEventListener(...listener);
  }
}

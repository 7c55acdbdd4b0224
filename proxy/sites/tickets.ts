// Tickets: a site's own server vouches for a visitor, because an Origin header stops browsers and nothing else.
// - `keyId.payload.mac`: the payload is JSON `{ site, expires, nonce }` in base64url, `expires` in seconds since 1970; the
//   mac is HMAC-SHA-256 over `keyId.payload`, in base64url. The key id lets two keys be valid while one is replaced.
// - A ticket is valid for as many requests as the limits allow, until it expires. It may expire at most an hour ahead, and a
//   minute more because two clocks differ.
// - It comes in `X-Sign-Ticket`, or as `?ticket=` where a browser can send no header: on the upgrade.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../problem.ts';

const MAX_LIFE_SECONDS = 3_600;
const CLOCK_SECONDS = 60;
const DEFAULT_LIFE_SECONDS = 300;
const MAX_TICKET = 1_024;

/** The key id of SIGN_TICKET_KEY. */
export const DEFAULT_KEY_ID = 'default';

export interface TicketInit {
  /** The name of the site in SIGN_SITES; `default` without such a file. */
  readonly site?: string;
  readonly key: string;
  readonly keyId?: string;
  /** Seconds until it expires: 300 by default, at most 3,600. */
  readonly seconds?: number;
}

/** A ticket for a visitor of the site, to be given to the page by the site's server. */
export function signTicket({ key, site = 'default', keyId = DEFAULT_KEY_ID, ...init }: TicketInit): string {
  const expires = Math.floor(Date.now() / 1000) + (init.seconds ?? DEFAULT_LIFE_SECONDS);
  const claims = JSON.stringify({ site, expires, nonce: randomUUID() });
  const signed = `${keyId}.${Buffer.from(claims).toString('base64url')}`;
  return `${signed}.${macOf(signed, key).toString('base64url')}`;
}

const macOf = (signed: string, key: string): Buffer => createHmac('sha256', key).update(signed).digest();

export function ticketOf(request: IncomingMessage): string | null {
  const header = request.headers['x-sign-ticket'];
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const ticket = typeof header === 'string' ? header : new URLSearchParams(query).get('ticket');
  return ticket === null || ticket.length > MAX_TICKET ? null : ticket;
}

interface Claims {
  readonly site: string;
  readonly expires: number;
}

/** The claims of a ticket, which are not verified here; null when it is no ticket. */
export function claimsOf(ticket: string): Claims | null {
  const [, payload = ''] = ticket.split('.');
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Partial<Claims> | null;
    const { site, expires } = claims ?? {};
    return typeof site === 'string' && typeof expires === 'number' ? { site, expires } : null;
  } catch {
    return null;
  }
}

/** What is wrong with a ticket, in one word for the log; null for one of the site that a key has made and that has not expired. */
function faultOf(ticket: string, site: string, keys: Readonly<Record<string, string>>): string | null {
  const [keyId = '', payload = '', mac = '', ...rest] = ticket.split('.');
  const key = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  if (key === undefined) return 'UNKNOWN_KEY';
  // Compared as text, because decoding ignores characters that are not base64url.
  const expected = Buffer.from(macOf(`${keyId}.${payload}`, key).toString('base64url'));
  const actual = Buffer.from([mac, ...rest].join('.'));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return 'WRONG_MAC';
  const claims = claimsOf(ticket);
  if (claims?.site !== site) return 'OTHER_SITE';
  const seconds = claims.expires - Date.now() / 1000;
  if (seconds > MAX_LIFE_SECONDS + CLOCK_SECONDS) return 'TOO_FAR_AHEAD';
  return seconds > 0 ? null : 'EXPIRED';
}

export interface TicketDeps {
  readonly site: string;
  readonly tickets: 'off' | 'required';
  readonly credentials: { readonly ticketKeys: Readonly<Record<string, string>> };
}

/** @throws ProblemError 401 `ticket_refused` when the site requires a ticket and the request has none that is good */
export function checkTicket({ site, tickets, credentials }: TicketDeps, request: IncomingMessage): void {
  if (tickets === 'off') return;
  const ticket = ticketOf(request);
  if (ticket === null) throw new ProblemError('ticket_refused');
  const code = faultOf(ticket, site, credentials.ticketKeys);
  if (code !== null) throw new ProblemError('ticket_refused', { cause: { code } });
}

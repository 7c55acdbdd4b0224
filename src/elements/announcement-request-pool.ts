// The requests of announcements, and the one pool that all elements of a page share.
// - `bg-colour` wins over `background`. The service paints a colour. It makes a transparent WebM where the browser plays one,
//   else the page keys the video.
// - 8 requests at a time, the rest wait in their order: so a board of many announcements stays inside the service's request rate
//   (1,500 in 5 minutes, document 1, Limits; a proxy gives a third of it to one address).
// - An announcement that is not ready after 7 s frees its slot and waits at the end of the queue; from then on a slot is for one
//   status request and the wait of 6 to 8 s after it. So 8 slots make at most 400 status requests in 5 minutes.
// - Equal announcements share one request while any caller waits for it; a failed one is removed.
import { playsAlphaWebm } from '../playback/alpha-webm.ts';
import type { AnnouncementFields } from '../protocol/announcement-fields.ts';
import { announcementBody } from '../protocol/announcement.ts';
import { SignError } from '../protocol/sign-error.ts';
import { whenAborted } from '../session/async.ts';
import {
  createSignClient,
  type AnnounceOptions,
  type Announcement,
  type SignClient,
} from '../session/rest/rest-client.ts';

const TRANSPARENT = '-1,-1,-1';

export interface AnnouncementRequest {
  readonly body: Readonly<Record<string, string>>;
  /** True when the service makes the requested background. */
  readonly paintsBackground: boolean;
}

export interface AnnouncementOptions {
  readonly proxy: string;
  readonly fields: AnnouncementFields;
  /** `transparent`, `#rrggbb` or null. */
  readonly background: string | null;
}

/**
 * @param background `transparent`, `#rrggbb` or null
 * @throws SignError `invalid_request` that names every field which is wrong
 */
export async function requestFor(
  fields: AnnouncementFields,
  background: string | null,
): Promise<AnnouncementRequest> {
  const body = announcementBody(fields);
  if (body.bgColour !== undefined) return { body, paintsBackground: body.bgColour === TRANSPARENT };
  const bgColour = background === 'transparent' ? await transparency() : background && colourOf(background);
  return bgColour
    ? { body: { ...body, bgColour }, paintsBackground: true }
    : { body, paintsBackground: false };
}

const transparency = async (): Promise<string | null> => ((await playsAlphaWebm()) ? TRANSPARENT : null);

const colourOf = (background: string): string =>
  [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16)).join();

const SLOTS = 8;
/** Waits of 1, 2 and 4 s. */
const WAITS_OF_FIRST_SLOT = 3;

/** A caller that waits for an announcement. */
export interface AnnouncementWaiting {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** The service has accepted it; called at once when it already had. */
  accepted(requestId: string): void;
  /** A try failed and will be made again. */
  retrying(warning: SignError): void;
}

interface Shared {
  readonly waiting: Set<AnnouncementWaiting>;
  readonly stop: AbortController;
  readonly made: Promise<Announcement>;
  requestId: string | null;
}

export class AnnouncementRequestPool {
  readonly #clientOf: (proxy: string) => SignClient;
  readonly #shared = new Map<string, Shared>();
  /** In order, a function for each request that waits for a slot; it continues the request. */
  readonly #queue: (() => void)[] = [];
  #usedSlots = 0;

  constructor(clientOf: (proxy: string) => SignClient) {
    this.#clientOf = clientOf;
  }

  /** Requests an announcement, or joins an equal request. Rejects with a SignError or the signal's reason. */
  ask(proxy: string, body: AnnouncementFields, waiting: AnnouncementWaiting): Promise<Announcement> {
    const key = keyOf(proxy, body);
    const shared = this.#shared.get(key) ?? this.#open(key, proxy, body);
    shared.waiting.add(waiting);
    if (shared.requestId !== null) waiting.accepted(shared.requestId);
    return new Promise((resolve, reject) => {
      shared.made.then(resolve, reject);
      whenAborted(waiting.signal, (reason) => {
        reject(reason as Error);
        shared.waiting.delete(waiting);
        if (shared.waiting.size > 0) return;
        shared.stop.abort(reason);
        if (this.#shared.get(key) === shared) this.#shared.delete(key);
      });
    });
  }

  /** A new address of a finished video; the video is requested again when the service has no address for it. */
  async renew(
    proxy: string,
    body: AnnouncementFields,
    requestId: string,
    waiting: AnnouncementWaiting,
  ): Promise<string> {
    try {
      return (await this.#clientOf(proxy).announcement(requestId, waiting)).url;
    } catch (error) {
      if (waiting.signal.aborted || (error instanceof SignError && error.retryable)) throw error;
      const key = keyOf(proxy, body);
      // Another element may have requested it in the meantime.
      if (this.#shared.get(key)?.requestId === requestId) this.#shared.delete(key);
      return (await this.ask(proxy, body, waiting)).url;
    }
  }

  #open(key: string, proxy: string, body: AnnouncementFields): Shared {
    const waiting = new Set<AnnouncementWaiting>();
    const stop = new AbortController();
    let waits = 0;
    const options: AnnounceOptions = {
      signal: stop.signal,
      accepted: (requestId) => {
        shared.requestId = requestId;
        for (const each of waiting) each.accepted(requestId);
      },
      retrying: (warning) => {
        for (const each of waiting) each.retrying(warning);
      },
      between: async (wait) => {
        await wait();
        waits += 1;
        if (waits >= WAITS_OF_FIRST_SLOT) await this.#yieldSlot();
      },
    };
    const made = this.#withSlot(stop.signal, () => this.#clientOf(proxy).announce(body, options));
    made.catch(() => {
      if (this.#shared.get(key) === shared) this.#shared.delete(key);
    });
    const shared: Shared = { waiting, stop, made, requestId: null };
    this.#shared.set(key, shared);
    return shared;
  }

  /** Passes the slot to the next request, and resolves when this request has a slot again. */
  async #yieldSlot(): Promise<void> {
    const next = this.#queue.shift();
    if (!next) return;
    const slot = new Promise<void>((go) => this.#queue.push(go));
    next();
    await slot;
  }

  async #withSlot<Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Value> {
    if (this.#usedSlots === SLOTS) await new Promise<void>((go) => this.#queue.push(go));
    else this.#usedSlots += 1;
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      // The slot goes to the next request, if there is one.
      const next = this.#queue.shift();
      if (next) next();
      else this.#usedSlots -= 1;
    }
  }
}

const keyOf = (proxy: string, body: AnnouncementFields): string => JSON.stringify([proxy, body]);

/** The one pool of the page. */
export const requestPool = new AnnouncementRequestPool((proxy) => createSignClient({ proxy }));

// The proxy's HTTP side for the service of fuzz-service.ts: translations by REST, the answer after a refused upgrade, the page of a
// gateway that does not reach the proxy, and a proxy that is gone. It records what a client may never do.
import type { Reaction, FuzzService } from './fuzz-service.ts';

const LAG_MS = 5;
/** The longest time in which a client that is awake learns why a connection broke, 5 s, and that the browser is offline. */
const DIAGNOSIS_MS = 6_100;

type ProxyState = 'up' | 'gateway' | 'down';

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

export class FuzzProxy {
  state: ProxyState = 'up';
  /** The browser has no network: nothing gets through. */
  cut = false;
  readonly #service: FuzzService;
  readonly #reactions: readonly Reaction[];
  readonly #underWay = new Set<{ readonly end: (how: 'broken' | 'answered') => void }>();
  /** A request to find the proxy had no answer. */
  hasRefused = false;
  /** Texts whose connection broke while the browser was online, and when: they may have been billed. */
  readonly #mayBeBilled = new Map<string, number>();
  #reaction = 0;

  constructor(service: FuzzService, reactions: readonly Reaction[]) {
    this.#service = service;
    this.#reactions = reactions;
  }

  get reachable(): boolean {
    return this.state === 'up' && !this.cut;
  }

  becomes(state: ProxyState, drains: boolean): void {
    this.state = state;
    if (drains) this.drain();
    else this.break();
  }

  /** The browser goes offline or online. */
  cutOff(isCut: boolean): void {
    this.cut = isCut;
    if (!isCut) return;
    this.break();
    // The browser reports its network soon after the connections broke.
    for (const [data, at] of this.#mayBeBilled) {
      if (this.#service.clock.awake() - at <= DIAGNOSIS_MS) this.#mayBeBilled.delete(data);
    }
  }

  /** Every connection breaks. */
  break(): void {
    for (const request of [...this.#underWay]) request.end('broken');
    for (const socket of this.#service.sockets) socket.drop(1006);
  }

  /** As a proxy after SIGTERM: requests are answered first, and sockets are closed. */
  drain(): void {
    for (const request of [...this.#underWay]) request.end('answered');
    for (const socket of this.#service.sockets) socket.drop(1012);
  }

  readonly fetch = (_address: string, { method, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const abort = () => reject(signal?.reason as Error);
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      const { clock } = this.#service;
      const isPost = method === 'POST';
      const reaction = isPost ? this.#nextReaction() : null;
      const data = isPost ? (JSON.parse(String(body)) as { content: { data: string } }).content.data : '';
      if (isPost) this.#check(data);
      // The HEAD before this POST has just been answered, and nothing happens in between, so the POST reaches the proxy at once.
      const sent = { isCut: this.cut, state: this.state };
      clock.setTimeout(() => {
        if (signal?.aborted) return;
        const { isCut, state } = isPost ? sent : { isCut: this.cut, state: this.state };
        this.hasRefused ||= isCut || state !== 'up';
        if (isCut || state === 'down') return reject(new TypeError('Failed to fetch'));
        if (state === 'gateway') return resolve(new Response('<h1>502</h1>', { status: 502 }));
        if (!reaction) {
          const headers = { 'content-type': 'application/problem+json' };
          return resolve(json({ code: 'upgrade_required', title: '', status: 426 }, 426, headers));
        }
        const request = {
          end: (how: 'broken' | 'answered') => {
            if (!this.#underWay.delete(request)) return;
            if (how === 'broken' && !this.cut) this.#mayBeBilled.set(data, clock.awake());
            if (how === 'broken') reject(new TypeError('Failed to fetch'));
            else resolve(this.#answer(data, reaction));
          },
        };
        this.#underWay.add(request);
        if (reaction.kind !== 'deaf' && reaction.kind !== 'silent') {
          clock.setTimeout(() => request.end('answered'), reaction.ackMs + reaction.resultMs);
        }
      }, LAG_MS);
    });

  #check(data: string): void {
    const service = this.#service;
    const now = service.clock.now();
    if (service.offline) service.breaks('a translation asked for while offline');
    if ((service.kept.get(data) ?? -Infinity) > now && !service.renewed.has(data)) {
      service.breaks('sent anew by REST while its result could be fetched');
    }
    if (this.#mayBeBilled.has(data) && !service.renewed.has(data)) {
      service.breaks('sent again by REST although it may have been billed');
    }
    service.sent.push({ socket: null, data });
  }

  #answer(data: string, reaction: Reaction): Response {
    const { signed, peaceful } = this.#service;
    if (!peaceful && reaction.kind === 'error') {
      return reaction.refused
        ? json({ error: 'validation_error' }, 400)
        : json(
            { error: 'internal_error' },
            500,
            reaction.hint ? { 'retry-after': `${Math.ceil(reaction.hint)}` } : {},
          );
    }
    if (!peaceful && reaction.kind === 'malformed') return new Response('<html>');
    return json({ mediaUrl: `https://media.example/${signed.push(data) - 1}.mp4` });
  }

  #nextReaction(): Reaction {
    this.#reaction += 1;
    const fine: Reaction = { kind: 'result', ackMs: 20, resultMs: 200, code: '', hint: null, refused: false };
    return this.#service.peaceful
      ? fine
      : (this.#reactions[this.#reaction % this.#reactions.length] as Reaction);
  }
}

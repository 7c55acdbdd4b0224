// The proxy's HTTP side for the service of fuzz-service.ts: translations by REST and their jobs, the answer after a refused
// upgrade, the page of a gateway that does not reach the proxy, and a proxy that is gone. It records what a client may never do.
import { fine, type Reaction, type FuzzService } from './fuzz-service.ts';
import { placeOf } from './fuzz-texts.ts';

const LAG_MS = 5;
/** The longest time in which a client that is awake learns why a connection broke, 5 s, and that the browser is offline. */
const DIAGNOSIS_MS = 6_100;

/** `http-down`: only sockets get through. */
type ProxyState = 'up' | 'gateway' | 'down' | 'http-down';

interface Job {
  readonly data: string;
  readonly reaction: Reaction;
  readonly readyAt: number;
  video: number | null;
  /** One status request was answered with an error that may pass. */
  wasRefused: boolean;
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });

export class FuzzProxy {
  state: ProxyState = 'up';
  /** The browser has no network: nothing gets through. */
  cut = false;
  readonly #service: FuzzService;
  readonly #reactions: readonly Reaction[];
  readonly #mode: 'translate' | 'stream';
  /** Numbers of the texts that have streams of their own. */
  readonly streamed = new Set<number>();
  readonly #underWay = new Set<{ readonly end: (how: 'broken' | 'answered') => void }>();
  /** A request to find the proxy had no answer. */
  hasRefused = false;
  /** Texts whose connection broke while the browser was online, and when: they may have been billed. */
  readonly #mayBeBilled = new Map<string, number>();
  readonly #jobs: Job[] = [];
  #reaction = 0;

  constructor(service: FuzzService, reactions: readonly Reaction[], mode: 'translate' | 'stream') {
    this.#service = service;
    this.#mode = mode;
    this.#reactions = reactions;
  }

  get takesSockets(): boolean {
    return (this.state === 'up' || this.state === 'http-down') && !this.cut;
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
    if (!this.takesSockets) for (const socket of this.#service.sockets) socket.drop(1006);
  }

  /** As a proxy after SIGTERM: requests are answered first, and sockets are closed. */
  drain(): void {
    for (const request of [...this.#underWay]) request.end('answered');
    if (!this.takesSockets) for (const socket of this.#service.sockets) socket.drop(1012);
  }

  readonly fetch = (address: string, { method, body, signal }: RequestInit): Promise<Response> =>
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
        if (isCut || state === 'down' || state === 'http-down')
          return reject(new TypeError('Failed to fetch'));
        if (state === 'gateway') return resolve(new Response('<h1>502</h1>', { status: 502 }));
        const job = /\/v1\/status\/(\d+)/.exec(address)?.[1];
        if (job !== undefined) return resolve(this.#look(this.#jobs[Number(job)]!));
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
          const madeMs = reaction.isJob ? 0 : reaction.resultMs;
          clock.setTimeout(() => request.end('answered'), reaction.ackMs + madeMs);
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
    if (service.polled.has(data) && !service.renewed.has(data))
      service.breaks('sent again by REST while it polls its job');
    if (this.#mayBeBilled.has(data) && !service.renewed.has(data)) {
      service.breaks('sent again by REST although it may have been billed');
    }
    service.sent.push({ socket: null, data });
  }

  #answer(data: string, reaction: Reaction): Response {
    const { signed, peaceful, polled, clock } = this.#service;
    if (reaction.isJob && !(reaction.kind === 'error' && reaction.refused)) {
      polled.add(data);
      const readyAt = clock.now() + reaction.resultMs;
      return json({
        jobId: `${this.#jobs.push({ data, reaction, readyAt, video: null, wasRefused: false }) - 1}`,
      });
    }
    if (!peaceful && reaction.kind === 'error') {
      return reaction.refused
        ? json({ error: 'validation_error' }, 400)
        : json(
            { error: 'internal_error' },
            reaction.status,
            reaction.hint ? { 'retry-after': `${Math.ceil(reaction.hint)}` } : {},
          );
    }
    if (!peaceful && reaction.kind === 'malformed') return new Response('<html>');
    return json(this.#media(data, signed.push(data) - 1));
  }

  #look(job: Job): Response {
    const { signed, clock, polled } = this.#service;
    const { data, reaction, readyAt } = job;
    if (!this.#service.peaceful && reaction.kind === 'twice' && !job.wasRefused) {
      job.wasRefused = true;
      return json({ error: 'internal_error' }, reaction.status);
    }
    if (clock.now() < readyAt) return json({ status: 'processing' });
    if (reaction.kind === 'error' || reaction.kind === 'malformed') {
      polled.delete(data);
      return json({ status: 'failed' });
    }
    job.video ??= signed.push(data) - 1;
    return json({ status: 'completed', ...this.#media(data, job.video) });
  }

  #media(data: string, number: number): Record<string, string> {
    const url = `https://media.example/${number}`;
    if (this.#mode === 'translate') return { mediaUrl: `${url}.mp4` };
    this.streamed.add(placeOf(data)[0]);
    return { manifest_url: `${url}.m3u8` };
  }

  #nextReaction(): Reaction {
    this.#reaction += 1;
    return this.#service.peaceful
      ? fine
      : (this.#reactions[this.#reaction % this.#reactions.length] as Reaction);
  }
}

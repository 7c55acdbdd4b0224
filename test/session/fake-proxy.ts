// A proxy whose answers the test gives: it records each request and answers when the test says so. Only the HEAD before a
// POST is answered at once, with `head`, and counted.
import assert from 'node:assert/strict';
import type { GenerateRequest } from '../../src/protocol/translation.ts';
import { promisesSettled } from '../promises-settled.ts';

export const PROXY = 'https://page.example/sign';

export class Asked {
  readonly method: string;
  /** Under the proxy's prefix, with its query. */
  readonly path: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
  readonly answered: Promise<Response>;
  #answer: (response: Response) => void = () => {};
  #fail: (reason: unknown) => void = () => {};

  constructor(address: string, { method = 'GET', body = null, signal }: RequestInit) {
    assert.ok(address.startsWith(`${PROXY}/`), `${address} is not at the proxy`);
    assert.ok(signal, 'a request can be ended');
    this.method = method;
    this.path = address.slice(PROXY.length + 1);
    this.body = typeof body === 'string' ? JSON.parse(body) : null;
    this.signal = signal;
    this.answered = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  /** The text of a translation request. */
  get text(): string {
    return (this.body as GenerateRequest).content.data;
  }

  async answer(body: unknown, status = 200, headers: Record<string, string> = {}): Promise<void> {
    const text = typeof body === 'string' || body === null ? body : JSON.stringify(body);
    this.#answer(new Response(text, { status, headers }));
    await promisesSettled();
  }

  /** Answers with a status. The body is sent by the function that this resolves with. */
  async begin(): Promise<(body: unknown) => Promise<void>> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#answer(new Response(readable));
    await promisesSettled();
    return async (body) => {
      const writer = writable.getWriter();
      void writer.write(new TextEncoder().encode(JSON.stringify(body)));
      void writer.close();
      await promisesSettled();
    };
  }

  /** Answers with a video for the text of the request. */
  async video(name = this.text): Promise<void> {
    await this.answer({ mediaUrl: `https://media.example/${encodeURIComponent(name)}.mp4` });
  }

  /** The network breaks. */
  async breakOff(): Promise<void> {
    this.#fail(new TypeError('fetch failed'));
    await promisesSettled();
  }
}

export class FakeProxy {
  readonly asked: Asked[] = [];
  /** The answer to a HEAD; null for a proxy that cannot be reached. */
  head: (() => Response) | null = () =>
    new Response(null, { headers: { 'content-type': 'text/javascript' } });
  heads = 0;

  readonly fetch = (address: string, init: RequestInit): Promise<Response> => {
    if (init.method === 'HEAD') {
      this.heads += 1;
      return this.head ? Promise.resolve(this.head()) : Promise.reject(new TypeError('fetch failed'));
    }
    const asked = new Asked(address, init);
    this.asked.push(asked);
    return asked.answered;
  };

  /** The newest request. */
  get last(): Asked {
    const last = this.asked.at(-1);
    assert.ok(last, 'nothing was asked');
    return last;
  }

  /** The newest probe of the proxy fails, and so does the request that asks why: nothing listens there. */
  async refuseLook(): Promise<void> {
    for (let look = 0; look < 2; look += 1) {
      assert.equal(this.last.path, 'ws/');
      await this.last.breakOff();
    }
  }

  /** Texts of the translation requests. */
  get texts(): string[] {
    return this.asked.filter(({ path }) => path === 'v2/generate').map(({ text }) => text);
  }

  /** The newest request for a text. */
  request(text: string): Asked {
    const found = this.asked.findLast((asked) => asked.path === 'v2/generate' && asked.text === text);
    assert.ok(found, `${text} was not asked`);
    return found;
  }
}

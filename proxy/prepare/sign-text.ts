// One text to one MP4 by REST (document 2, `POST /v2/generate` with `mp4` and `download`).
// - Tries, waits and requests are those of the page's client (src/session/rest/request.ts). The requests by which a page finds out
//   whether a proxy answers are left out: Node says whether a request was sent, and each would count against the account's limits.
// - A 303 is not followed: its `Location` is the address of the video.
// - The video is loaded at once, with three tries, and is at most 200 MB.
// - What the service says of a text that it refuses may repeat the key. It is printed, often into the public log of a CI, and
//   shown to reviewers, so the key is replaced.
import { setTimeout as wait } from 'node:timers/promises';
import { generateBody } from '../../src/session/rest/generate.ts';
import { createSignClient } from '../../src/session/rest/rest-client.ts';
import type { SessionConfig } from '../../src/protocol/client-frames.ts';
import { isFinalStatus } from '../../src/protocol/own-errors.ts';
import { createRedactor } from '../credentials/redaction.ts';
import type { Signer } from './edition.ts';

const MEDIA_MS = 120_000;
const MOST_BYTES = 200_000_000;
const TRIES = 3;
const AGAIN_MS = 500;

export interface Service {
  readonly apiUrl: string;
  readonly apiKey: string | null;
}

/** The bytes of the video. Rejects with an Error that says why there are none. */
export type SignText = (text: string, signal: AbortSignal) => Promise<Uint8Array>;

export function signTextWith(service: Service, { signer, language, resolution }: Signer): SignText {
  const key = service.apiKey;
  const client = createSignClient({
    proxy: service.apiUrl,
    fetch: async (address, init) => {
      if (init.method === 'HEAD') return new Response(null, { status: 204 });
      if (address.endsWith('/ws/')) throw new TypeError('not asked');
      const headers = new Headers(init?.headers);
      if (key !== null) headers.set('X-API-KEY', key);
      const response = await fetch(address, { ...init, headers, redirect: 'manual' }).catch(unsent);
      const place = response.status === 303 ? response.headers.get('location') : null;
      if (place !== null) return Response.json({ mediaUrl: new URL(place, address).href });
      const isJson = response.headers.get('content-type')?.includes('json');
      const isNoService = (response.status === 404 || response.status === 405) && !isJson;
      if (!isNoService) return response;
      return Response.json(
        { error: `${address} answers ${response.status}: is SIGN_API_URL right?` },
        response,
      );
    },
  });
  const config = { digital_signer: signer, language, resolution } as SessionConfig;
  const redactor = createRedactor(key === null ? [] : [key]);
  const withoutKey = (error: Error): never => {
    const message = redactor.text(error.message);
    throw message === error.message ? error : new Error(message);
  };
  return async (text, signal) => {
    const body = generateBody(text, { mode: 'translate', config });
    const { mediaUrl } = await client.generate(body, { signal }).catch(withoutKey);
    if (mediaUrl === null) throw new Error('the answer names no video');
    return loadMedia(mediaUrl, signal);
  };
}

const NOT_SENT = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Answers 503 for a request that was not sent, so that the client tries it again. @throws the error of a request that was */
function unsent(error: Error & { cause?: { code?: string } }): Response {
  const code = error.cause?.code ?? '';
  if (!NOT_SENT.includes(code)) throw error;
  return Response.json({ error: `the service is not reached (${code})` }, { status: 503 });
}

async function loadMedia(url: string, signal: AbortSignal): Promise<Uint8Array> {
  for (let tries = 1; ; tries += 1) {
    let problem: string;
    try {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(MEDIA_MS)]) });
      if (response.ok) return await bytesOf(response);
      await response.body?.cancel();
      problem = `the media server answers ${response.status}`;
      if (isFinalStatus(response.status)) tries = TRIES;
    } catch (error) {
      signal.throwIfAborted();
      problem = `the video does not load (${(error as Error).message})`;
    }
    if (tries >= TRIES) throw new Error(problem);
    await wait(AGAIN_MS * 2 ** tries, undefined, { signal });
  }
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const announced = response.headers.get('content-length');
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`);
  }
  if (announced !== null && Number(announced) !== length) throw new Error('it was cut off');
  return Buffer.concat(chunks);
}

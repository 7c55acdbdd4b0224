// Shared by the tests of the live player: an element on the page, its events, a proxy that answers look-ups as the test
// sets it, and an endless stream of the real sandbox.
import type { SignLivePlayer } from '../../../src/elements/sign-live-player.ts';
import type { SignError } from '../../../src/protocol/sign-error.ts';
import { SignSession } from '../../../src/session/sign-session.ts';
import '../../../src/define/sign-live-player.ts';
import { proxyAddress } from '../../backend/client.ts';
import { until } from '../../until.ts';
import { frames } from '../on-page.ts';

export { until };

/** Prefix of the proxy that answers look-ups in the page. */
export const LOOKUPS = `${location.origin}/lookups`;
export const ID = '0b8e1f4c-93c1-4d0e-8a51-5f7f3a2b6c01';

/** A session object of the service, as a page gets to see it. */
export const session = (change: object = {}): object => ({
  sessionId: ID,
  status: 'active',
  outputType: 'HLS',
  pictureInPicture: false,
  manifests: {},
  startedAt: '2026-01-01T00:00:00Z',
  ...change,
});

export const json = (body: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const refusal = (code: string, status: number, headers: Record<string, string> = {}): Response =>
  json({ error: { code, message: `${code} for a test` } }, status, headers);

const realFetch = window.fetch;

/**
 * From now on look-ups at LOOKUPS get these answers, one after the other. The last answer is repeated.
 * @returns the requested paths, in order
 */
export function answerLookups(...answers: readonly (() => Response | Promise<Response>)[]): string[] {
  const asked: string[] = [];
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(LOOKUPS)) return realFetch(input, init);
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(url.slice(LOOKUPS.length));
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('nobody answers'));
  };
  return asked;
}

interface Heard {
  readonly states: string[];
  readonly errors: SignError[];
}

/**
 * Its states in order, without `reconnecting`, because media is late on a busy machine. A state that returns after it is
 * listed once.
 */
export const calmStates = ({ states }: Heard): string[] =>
  states.filter((state) => state !== 'reconnecting').filter((state, at, calm) => state !== calm[at - 1]);

/** An element on the page, and its events. */
export function mount(attributes: Record<string, string>): { player: SignLivePlayer; heard: Heard } {
  const player = document.createElement('sign-live-player');
  const heard: Heard = { states: [], errors: [] };
  player.addEventListener('sign-statechange', ({ detail }) => heard.states.push(detail.state));
  player.addEventListener('sign-error', ({ detail }) => heard.errors.push(detail.error));
  player.setAttribute('proxy', LOOKUPS);
  for (const [name, value] of Object.entries(attributes)) player.setAttribute(name, value);
  document.body.append(player);
  return { player, heard };
}

/** Takes every player off the page and lets it end; the platform's fetch is back. */
export async function unmountAll(): Promise<void> {
  for (const player of document.querySelectorAll('sign-live-player')) player.remove();
  await frames(4);
  window.fetch = realFetch;
}

/** The text of the box, and of the button in it; empty where there is none. */
export const said = (player: SignLivePlayer): string =>
  player.shadowRoot?.querySelector('.over :is(.message, .start)')?.textContent?.trim() ?? '';

export const part = (player: SignLivePlayer, name: string): HTMLElement | null =>
  player.shadowRoot?.querySelector<HTMLElement>(`[part~='${name}']`) ?? null;

export interface EndlessStream {
  readonly hls: string;
  readonly dash: string;
  /** Ends the stream, as a stopped session does. */
  end(): Promise<unknown>;
}

/** A stream of the sandbox: its signer is at rest while nothing is signed. */
export async function openStream(): Promise<EndlessStream> {
  const proxy = await proxyAddress();
  const signing = new SignSession({
    url: `${proxy.replace(/^http/, 'ws')}/ws/`,
    config: { digital_signer: 'RAE', language: 'BSL', resolution: '480p' },
    mode: 'stream',
  });
  await signing.connect();
  const hls = signing.manifests?.hls;
  if (!hls) throw new Error('the session has no stream');
  // Every stream of the sandbox has both manifests, with one signature.
  const dash = hls.replace(/[^/]+\.m3u8/, 'manifest.mpd');
  return { hls, dash, end: () => signing.end() };
}

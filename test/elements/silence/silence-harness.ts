// Shared by the browser tests of `<sign-silence-loop>`: an element at the real proxy, its events and its requests.
import '../../../src/define/sign-silence-loop.ts';
import type { SignSilenceLoop } from '../../../src/elements/sign-silence-loop.ts';
import type { SignState } from '../../../src/elements/sign-events.ts';
import { addresses, proxyAddress } from '../../backend/client.ts';
import { frames } from '../on-page.ts';

const { fetch, matchMedia, setTimeout, clearTimeout } = window;

interface Asked {
  /** Queries of the silence route. */
  readonly silence: Record<string, string>[];
  /** Addresses of media. */
  readonly media: string[];
}

/** Records the requests from now on; `answer` may answer in place of the network. */
export async function watchFetch(
  answer: (url: URL, init?: RequestInit) => Response | null = () => null,
): Promise<Asked> {
  const { media: origin } = await addresses();
  const asked: Asked = { silence: [], media: [] };
  window.fetch = (input, init) => {
    const url = new URL(String(input), location.href);
    if (url.pathname.endsWith('/v1/silence')) asked.silence.push(Object.fromEntries(url.searchParams));
    else if (url.origin === origin) asked.media.push(url.href);
    const own = answer(url, init);
    return own ? Promise.resolve(own) : fetch(input, init);
  };
  return asked;
}

interface LongTimer {
  readonly ms: number;
  readonly run: () => void;
}

/** From now on timers of a minute and more run only when the test runs them. The returned function lists those that are set. */
export function watchLongTimers(): () => LongTimer[] {
  const timers = new Map<number, LongTimer>();
  let last = 0;
  window.setTimeout = ((run: () => void, ms = 0) => {
    if (ms < 60_000) return setTimeout(run, ms);
    // The ids of the browser are above 0.
    timers.set((last -= 1), { ms, run });
    return last;
  }) as typeof window.setTimeout;
  window.clearTimeout = (timer) => {
    if (!timers.delete(Number(timer))) clearTimeout(timer);
  };
  return () => [...timers.values()];
}

/** From now on the visitor wants reduced motion; the returned function changes that. */
export function wantReducedMotion(): (reduced: boolean) => void {
  const query = Object.assign(new EventTarget(), { matches: true });
  window.matchMedia = (words) =>
    words.includes('reduced-motion') ? (query as unknown as MediaQueryList) : matchMedia.call(window, words);
  return (reduced) => {
    query.matches = reduced;
    query.dispatchEvent(new Event('change'));
  };
}

/** An element on the page, and the states and error codes that it reports. */
export async function mount(
  attributes: Record<string, string> = {},
): Promise<{ element: SignSilenceLoop; states: SignState[]; errors: string[] }> {
  const element = document.createElement('sign-silence-loop');
  element.setAttribute('proxy', await proxyAddress());
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  const states: SignState[] = [];
  const errors: string[] = [];
  element.addEventListener('sign-statechange', ({ detail }) => states.push(detail.state));
  element.addEventListener('sign-error', ({ detail }) => errors.push(detail.error.code));
  document.body.append(element);
  return { element, states, errors };
}

/** Takes every element off the page and puts the page back as it was. */
export async function clear(): Promise<void> {
  for (const element of document.querySelectorAll('sign-silence-loop, .spacer')) element.remove();
  window.fetch = fetch;
  Object.assign(window, { setTimeout, clearTimeout });
  window.matchMedia = matchMedia;
  scrollTo(0, 0);
  await frames(3);
}

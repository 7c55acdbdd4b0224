// Shared by the browser tests of `<sign-announcement>`: an element at the real proxy, its events and its requests.
import '../../../src/define/sign-announcement.ts';
import type { SignAnnouncement } from '../../../src/elements/sign-announcement.ts';
import { addresses, proxyAddress } from '../../backend/client.ts';
import { frames } from '../on-page.ts';

const { fetch } = window;

interface Asked {
  /** Bodies of announcements that were submitted. */
  readonly submitted: Record<string, string>[];
  /** Ids whose status was requested. */
  readonly looks: string[];
  /** Addresses of media. */
  readonly media: string[];
}

/** Records the requests from now on. */
export async function watchFetch(): Promise<Asked> {
  const { media } = await addresses();
  const asked: Asked = { submitted: [], looks: [], media: [] };
  window.fetch = (input, init) => {
    const { origin, pathname, href } = new URL(String(input), location.href);
    if (pathname.endsWith('/train-announcements')) {
      asked.submitted.push(JSON.parse(String(init?.body)) as Record<string, string>);
    } else if (pathname.includes('/v1/sign-requests/')) asked.looks.push(pathname.split('/').at(-1) ?? '');
    else if (origin === media) asked.media.push(href);
    return fetch(input, init);
  };
  return asked;
}

/** Answers each look at this announcement from memory: in a hurried minute the proxy has 0.1 s, a busy machine takes longer. */
export async function cached(id: string): Promise<void> {
  const { fetch } = window;
  const answer = await (await fetch(`${await proxyAddress()}/v1/sign-requests/${id}`)).text();
  window.fetch = async (input, init) =>
    String(input).includes(`/${id}`) ? Response.json(JSON.parse(answer)) : fetch(input, init);
}

interface Mounted {
  readonly element: SignAnnouncement;
  /** Names of its events, in order; `sign-statechange signing`, `sign-error announcement_failed`. */
  readonly said: string[];
}

/** An element on the page that plays at twice the speed. */
export async function mount(attributes: Record<string, string> = {}): Promise<Mounted> {
  const element = document.createElement('sign-announcement');
  element.setAttribute('proxy', await proxyAddress());
  element.playbackRate = 2;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  const said: string[] = [];
  element.addEventListener('sign-statechange', ({ detail }) => said.push(`sign-statechange ${detail.state}`));
  element.addEventListener('sign-error', ({ detail: { error } }) =>
    said.push(`sign-error ${error.code}${error.severity === 'warning' ? ' warning' : ''}`),
  );
  for (const name of ['sign-accepted', 'sign-result', 'sign-start', 'sign-end']) {
    element.addEventListener(name, () => said.push(name));
  }
  document.body.append(element);
  return { element, said };
}

/** Resolves in the event itself, because a later check may find that the announcement has ended. */
export const accepted = (element: SignAnnouncement): Promise<unknown> =>
  new Promise((resolve) => element.addEventListener('sign-accepted', resolve, { once: true }));

/** Takes every element off the page and lets it end. */
export async function clear(): Promise<void> {
  for (const element of document.querySelectorAll('sign-announcement')) element.remove();
  window.fetch = fetch;
  await frames(3);
}

export const messageOf = (element: SignAnnouncement): string | undefined =>
  element.shadowRoot?.querySelector('[part=message]')?.textContent?.trim();

/** The button beside the message, which tries again. */
export const buttonOf = (element: SignAnnouncement): HTMLElement | null | undefined =>
  element.shadowRoot?.querySelector<HTMLElement>('[part~=retry]');

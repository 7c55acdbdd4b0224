// The client for test pages of the backend in web-test-runner (runner-backend.mjs): each page has its own proxy and its own
// account of the sandbox.
import type { Fault, SandboxLimits } from '../../demo/sandbox/index.ts';

interface Addresses {
  /** Prefix of the proxy that serves this page. */
  proxy: string;
  /** Prefix of a proxy that serves only other origins. */
  refusing: string;
  /** Prefix where nothing listens. */
  nobody: string;
  /** Origin of the clips. */
  media: string;
}

/** The id of this page's session in web-test-runner. */
const pageId = new URLSearchParams(location.search).get('wtr-session-id') ?? '';

async function ask(path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`/backend/${path}?page=${pageId}`, init);
  if (!response.ok) throw new Error(`/backend/${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { value: unknown }).value;
}

export const addresses = async (): Promise<Addresses> => (await ask('addresses')) as Addresses;

/** Prefix of the proxy that serves this page. */
export const proxyAddress = async (): Promise<string> => (await addresses()).proxy;

/** Sockets that the service has open now for this page's account. */
export const openSockets = async (): Promise<number> => (await ask('sockets')) as number;

/** Replaces the faults in force for this page; an empty list ends them. */
export const setFaults = async (faults: readonly Fault[]): Promise<void> =>
  void (await ask('faults', faults));

/** The service's default limits with these changes, for this page; an empty object brings the defaults back. */
export const setLimits = async (limits: Partial<SandboxLimits>): Promise<void> =>
  void (await ask('limits', limits));

/** Sends a request to the service's REST API that a proxy refuses to pages; returns the body of the answer. */
export const operate = (method: string, path: string, body?: object): Promise<unknown> =>
  ask('operate', { method, path, body });

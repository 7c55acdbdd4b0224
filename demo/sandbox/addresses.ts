// Where the sandbox can be reached, and with which words. Policy: the credentials are fixed and say what they are, so that
// nobody takes them for real ones and a scan of what a browser gets can look for them.
import { networkInterfaces } from 'node:os';
import { CONTROL_PATH } from './control-route.ts';

/** Where the announcement API and its token server stand, under the one HTTP address. */
export const TRANSPORT_PATH = '/transport';
export const AUTH_PATH = '/auth';

export const credentials = {
  apiKey: 'sandbox-api-key',
  clientId: 'sandbox-client-id',
  clientSecret: 'sandbox-client-secret',
} as const;

/** Everything that a proxy is configured with, and what the sandbox itself adds: media and control. */
export interface SandboxAddresses {
  readonly apiUrl: string;
  readonly wsUrl: string;
  readonly apiKey: string;
  readonly transportUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly mediaUrl: string;
  readonly controlUrl: string;
}

/** A name under which others reach what listens on `host`: the first external IPv4 for the address of all. */
function reachable(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

export const mediaUrlOf = (host: string, port: number): string => `http://${reachable(host)}:${port}`;

export function addressesOf(port: number, mediaUrl: string): SandboxAddresses {
  const apiUrl = `http://127.0.0.1:${port}`;
  return {
    apiUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    apiKey: credentials.apiKey,
    transportUrl: `${apiUrl}${TRANSPORT_PATH}`,
    authUrl: `${apiUrl}${AUTH_PATH}`,
    clientId: credentials.clientId,
    clientSecret: credentials.clientSecret,
    mediaUrl,
    controlUrl: `${apiUrl}${CONTROL_PATH}`,
  };
}

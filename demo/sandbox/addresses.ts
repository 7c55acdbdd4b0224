// Where the sandbox can be reached, and with which credentials.
// - Credentials are fixed words that contain `sandbox`: nobody takes them for real ones, and a scan of what a browser gets can
//   look for them.
import { networkInterfaces } from 'node:os';

/** Where the announcement API and its token server stand, under the one HTTP address. */
export const TRANSPORT_PATH = '/transport';
export const AUTH_PATH = '/auth';
/** Of the control route. */
export const CONTROL_PATH = '/sandbox/faults';

/** What an account is asked for. */
export interface Credentials {
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The words of the account with this number, counted from 1. */
export function credentialsOf(account: number): Credentials {
  const ending = account === 1 ? '' : `-${account}`;
  return {
    apiKey: `sandbox-api-key${ending}`,
    clientId: `sandbox-client-id${ending}`,
    clientSecret: `sandbox-client-secret${ending}`,
  };
}

/** Everything that a proxy is configured with, and what the sandbox itself adds: media and control. */
export interface SandboxAddresses extends Credentials {
  readonly apiUrl: string;
  readonly wsUrl: string;
  readonly transportUrl: string;
  readonly authUrl: string;
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

/** Where the sandbox listens. */
export interface Origins {
  /** Of API and WebSocket. */
  readonly port: number;
  readonly mediaUrl: string;
}

/** Where the account with this number finds everything; later ones have a prefix of their own for their media. */
export function addressesOf(account: number, { port, mediaUrl }: Origins): SandboxAddresses {
  const apiUrl = `http://127.0.0.1:${port}`;
  const { apiKey, clientId, clientSecret } = credentialsOf(account);
  return {
    apiUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    apiKey,
    transportUrl: `${apiUrl}${TRANSPORT_PATH}`,
    authUrl: `${apiUrl}${AUTH_PATH}`,
    clientId,
    clientSecret,
    mediaUrl: account === 1 ? mediaUrl : `${mediaUrl}/accounts/${account}`,
    controlUrl: `${apiUrl}${CONTROL_PATH}`,
  };
}

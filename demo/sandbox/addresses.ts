// The addresses and credentials of the sandbox.
// - Credentials are fixed words that contain `sandbox`: they cannot be mistaken for real ones, and a test can search for them
//   in what a browser receives.
import { networkInterfaces } from 'node:os';

/** Paths of the announcement API and of its token server, under the one HTTP address. */
export const TRANSPORT_PATH = '/transport';
export const AUTH_PATH = '/auth';
/** Path of the control route. */
export const CONTROL_PATH = '/sandbox/faults';
/** The names of this machine in a `Host` header. */
export const ownHosts = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/** The credentials of an account. */
export interface Credentials {
  readonly apiKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The credentials of the account with this number, from 1. */
export function credentialsOf(account: number): Credentials {
  const ending = account === 1 ? '' : `-${account}`;
  return {
    apiKey: `sandbox-account-api-key${ending}`,
    clientId: `sandbox-client-id${ending}`,
    clientSecret: `sandbox-client-secret${ending}`,
  };
}

/** The configuration of a proxy, and the addresses that only the sandbox has: media and control. */
export interface SandboxAddresses extends Credentials {
  readonly apiUrl: string;
  readonly wsUrl: string;
  readonly transportUrl: string;
  readonly authUrl: string;
  readonly mediaUrl: string;
  readonly controlUrl: string;
}

/** The host at which other machines reach a server that listens on `host`: for 0.0.0.0 the first external IPv4 address. */
function reachable(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

export const mediaUrlOf = (host: string, port: number): string => `http://${reachable(host)}:${port}`;

/** Where the sandbox listens. */
interface Origins {
  /** Port of API and WebSocket. */
  readonly port: number;
  readonly mediaUrl: string;
}

/** The addresses of the account with this number; the media of the second and later ones have a prefix. */
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

// Which session a text belongs to: the proxy, the way there and the config as they were when it was asked for. Policy: two
// texts share a session exactly when their routes are equal; what cannot be sent is refused here, before anything is spent.
import type { SessionConfig } from '../../protocol/client-frames.ts';
import { ownError } from '../../protocol/sign-error.ts';
import {
  type AskedSigner,
  oneOf,
  readBackground,
  readResolution,
  type Resolution,
  resolveProxy,
  signerFor,
} from '../attributes.ts';

export type Mode = 'translate' | 'stream';
export type Transport = 'auto' | 'v3' | 'rest';

export const readMode = oneOf<Mode, 'translate'>('mode', ['translate', 'stream'], 'translate');
export const readTransport = oneOf<Transport, 'auto'>('transport', ['auto', 'v3', 'rest'], 'auto');

export interface SessionRoute {
  /** Absolute http(s) prefix of the proxy, without a slash at its end. */
  readonly proxy: string;
  readonly transport: Transport;
  readonly mode: Mode;
  readonly config: SessionConfig;
  /** `#rrggbb` for the service to paint behind the signer, which V3 does not do. */
  readonly background: string | null;
  /** What a page adds to requests by REST (document 2, `POST /v2/generate`). */
  readonly generateOptions: Readonly<Record<string, unknown>> | null;
}

/** What a page says about its texts. */
export interface Wishes extends AskedSigner {
  readonly proxy: string;
  readonly transport: Transport;
  readonly mode: Mode;
  readonly resolution: Resolution;
  readonly background: string | null;
  readonly debug: boolean;
  readonly generateOptions: SessionRoute['generateOptions'];
}

/** @throws SignError `invalid_signer`, `invalid_request` */
export function routeFor(wishes: Wishes): SessionRoute {
  const { signer, language } = signerFor(wishes);
  const transport = readTransport(wishes.transport);
  const background = readBackground(wishes.background);
  return {
    proxy: resolveProxy(wishes.proxy),
    transport,
    mode: readMode(wishes.mode),
    config: {
      digital_signer: signer,
      language,
      resolution: readResolution(wishes.resolution),
      ...(wishes.debug && { debug: true }),
    },
    background: transport === 'v3' || background === 'transparent' ? null : background,
    generateOptions: asItIs(wishes.generateOptions),
  };
}

/** A copy, for a page may go on to change its own object. */
function asItIs(options: Wishes['generateOptions']): Wishes['generateOptions'] {
  try {
    return JSON.parse(JSON.stringify(options ?? null)) as Wishes['generateOptions'];
  } catch (cause) {
    throw ownError('invalid_request', 'generateOptions cannot be sent as JSON', { cause });
  }
}

export const sameRoute = (a: SessionRoute, b: SessionRoute): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The socket's address at a proxy. */
export const socketUrl = (prefix: string): string => `${prefix.replace(/^http/, 'ws')}/ws/`;

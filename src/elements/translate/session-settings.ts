// Reads which session serves an utterance: proxy, transport, mode and config at the time of the call.
// - Two utterances share a session exactly when their settings are equal.
// - Settings that cannot be sent are refused here, before anything is requested.
import type { SessionConfig } from '../../protocol/client-frames.ts';
import { warnOnce } from '../../internal/page-settings.ts';
import { SignError } from '../../protocol/sign-error.ts';
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

export interface SessionSettings {
  /** Absolute http(s) prefix of the proxy, without a slash at its end. */
  readonly proxy: string;
  readonly transport: Transport;
  readonly mode: Mode;
  readonly config: SessionConfig;
  /** `#rrggbb` for the service to paint behind the signer, which V3 does not do. */
  readonly background: string | null;
  /** What a page adds to requests by REST (document 2, `POST /v2/generate`). */
  readonly generateOptions: Readonly<Record<string, unknown>> | null;
  /** A ticket, or the address that answers one (session/ticket.ts). */
  readonly ticket: string | null | undefined;
}

/** The properties of an element that settings are read from. */
interface SettingsAttributes extends AskedSigner {
  readonly proxy: string;
  readonly transport: Transport;
  readonly mode: Mode;
  readonly resolution: Resolution;
  readonly background: string | null;
  readonly debug: boolean;
  readonly generateOptions: SessionSettings['generateOptions'];
  readonly ticket?: SessionSettings['ticket'];
}

/** @throws SignError `invalid_signer`, `invalid_request` */
export function readSettings(attributes: SettingsAttributes): SessionSettings {
  const { signer, language } = signerFor(attributes);
  const transport = readTransport(attributes.transport);
  const background = readBackground(attributes.background);
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return {
    proxy: resolveProxy(attributes.proxy),
    transport,
    mode: readMode(attributes.mode),
    config: {
      digital_signer: signer,
      language,
      // A visitor's Save-Data setting wins over the page.
      resolution: connection?.saveData ? '480p' : readResolution(attributes.resolution),
      ...(attributes.debug && { debug: true }),
    },
    background: transport === 'v3' || background === 'transparent' ? null : background,
    generateOptions: copyOf(attributes.generateOptions),
    ticket: attributes.ticket,
  };
}

/** A copy, because the page may change its object later. */
function copyOf(options: SettingsAttributes['generateOptions']): SettingsAttributes['generateOptions'] {
  try {
    return JSON.parse(JSON.stringify(options ?? null)) as SettingsAttributes['generateOptions'];
  } catch (cause) {
    throw new SignError('invalid_request', 'generateOptions is no JSON', { cause });
  }
}

export const DEFAULT_IDLE_AFTER = 1.5;

/** Seconds; null for `none`. Junk reads as the default of 1.5. */
export function readIdleAfter(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return DEFAULT_IDLE_AFTER;
  const word = String(value).trim().toLowerCase();
  if (word === 'none') return null;
  const seconds = Number(word);
  if (seconds >= 0 && word !== '') return seconds;
  warnOnce('attribute idle-after', `idle-after="${value}" is not one of none, seconds.`);
  return DEFAULT_IDLE_AFTER;
}

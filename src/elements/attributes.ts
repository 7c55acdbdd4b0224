// Reads the attributes that several elements have.
// - Junk reads as the default, and is reported once on the console.
// - Any signer is passed on; the service refuses unknown ones.
// - A relative `proxy` is resolved against the page's own address; it has no query, no fragment and no slash at its end.
import type { PropertyDeclaration } from 'lit';
import { defaultProxy } from '../internal/script-base.ts';
import { SignError } from '../protocol/sign-error.ts';
import { resolveSigner, type Language } from '../protocol/signers.ts';
import { warnOnce } from '../internal/page-settings.ts';

/** A reader for attribute `name`: any of `words`, compared case-insensitively, else `fallback`. */
export function oneOf<Word extends string, Fallback extends Word | undefined>(
  name: string,
  words: readonly Word[],
  fallback: Fallback,
): (value: unknown) => Word | Fallback {
  return (value) => {
    if (value === null || value === undefined || value === '') return fallback;
    const word = words.find((known) => known.toLowerCase() === String(value).trim().toLowerCase());
    if (word === undefined) {
      warnOnce(`attribute ${name}`, `${name}="${String(value)}" is not one of ${words.join(', ')}.`);
    }
    return word ?? fallback;
  };
}

/** The Lit declaration of such an attribute. */
export const oneOfProperty = (
  read: (value: unknown) => unknown,
  options: PropertyDeclaration = {},
): PropertyDeclaration => ({ ...options, converter: { fromAttribute: read } });

/** `controls`: false, true, or words that choose some of them. */
export const controlsProperty: PropertyDeclaration = {
  reflect: true,
  converter: {
    fromAttribute: (value) => value !== null && (value || true),
    toAttribute: (value) => (value === true ? '' : value || null),
  },
};

/** `transparent`, `#rrggbb` in small letters, or null for the signer's own backplate. */
export function readBackground(value: unknown): string | null {
  const word = String(value ?? '')
    .trim()
    .toLowerCase();
  if (/^(transparent|#[\da-f]{6})$/.test(word)) return word;
  if (word) {
    warnOnce('attribute background', `background="${word}" is not transparent or #RRGGBB.`);
  }
  return null;
}

export type Resolution = '480p' | '720p' | '1080p';

export const readLanguage = oneOf<Language, undefined>('language', ['BSL', 'ASL'], undefined);
export const readResolution = oneOf<Resolution, '720p'>('resolution', ['480p', '720p', '1080p'], '720p');

/** The signer and language that a page asks for. */
export interface AskedSigner {
  readonly signer: string | undefined;
  readonly language: Language | undefined;
}

/** @throws SignError `invalid_signer` */
export const signerFor = ({ signer, language }: AskedSigner): ReturnType<typeof resolveSigner> =>
  resolveSigner(signer || undefined, readLanguage(language));

/**
 * The prefix of the proxy's routes as an absolute address.
 * @throws SignError `invalid_request` when it is no http(s) address.
 */
export function resolveProxy(proxy: string): string {
  let url: URL | undefined;
  try {
    url = new URL(proxy || defaultProxy(), document.baseURI);
  } catch {
    // A value that is no URL is handled like one that is not http.
  }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new SignError('invalid_request', `proxy="${proxy}" is no http address`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

export type Placement = 'inline' | 'bottom-right' | 'bottom-left' | 'top-right' | 'top-left';

export const readPlacement = oneOf<Placement, 'inline'>(
  'placement',
  ['inline', 'bottom-right', 'bottom-left', 'top-right', 'top-left'],
  'inline',
);

export type Remember = 'site' | 'none';

export const readRemember = oneOf<Remember, 'site'>('remember', ['site', 'none'], 'site');

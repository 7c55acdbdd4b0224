// Which stream of a live session a page sees (document 2, live session object, `manifests`; output properties of the
// composite). Policy: the composite comes by HLS only; where it is asked for and not there, the signer alone is shown and
// the console told once; a manifest that a page names itself is DASH when its path or `protocol` says so, else HLS.
import { warnOnce } from '../../internal/warn-once.ts';
import type { LiveProtocol, StreamAddresses } from '../../playback/live/live-source.ts';
import type { LiveSession } from '../../protocol/live-session.ts';
import { httpUrl } from '../../protocol/http-url.ts';
import { ownError } from '../../protocol/sign-error.ts';
import type { LiveOptions } from './live-options.ts';

export interface LiveAddresses {
  readonly addresses: StreamAddresses;
  readonly protocol: LiveProtocol;
}

/**
 * Null while it is not known: the session, null before it was looked up, names no stream.
 * @throws SignError `invalid_request` when `src` is no http(s) address, seen from this page
 */
export function addressesFor(options: LiveOptions, session: LiveSession | null): LiveAddresses | null {
  if (!options.session) return addressesOfManifest(options.src ?? '', options.protocol);
  return session && addressesOf(session, options);
}

function addressesOf(
  { manifests: { hls, dash, pip } }: LiveSession,
  { view, protocol }: LiveOptions,
): LiveAddresses | null {
  if (view === 'composite' && pip !== null) {
    return { addresses: { hls: pip, dash: null }, protocol: 'auto' };
  }
  if (hls === null && dash === null) return null;
  if (view === 'composite') {
    warnOnce(
      'sign-live-player composite',
      '<sign-live-player>: this session has no composite; the signer alone is shown.',
    );
  }
  return { addresses: { hls, dash }, protocol };
}

function addressesOfManifest(src: string, protocol: LiveProtocol): LiveAddresses {
  const url = httpUrl(src, document.baseURI);
  if (url === null) throw ownError('invalid_request', `src="${src}" is not an http address`);
  const isDash = protocol === 'dash' || (protocol === 'auto' && /\.mpd$/i.test(new URL(url).pathname));
  return { addresses: isDash ? { hls: null, dash: url } : { hls: url, dash: null }, protocol };
}

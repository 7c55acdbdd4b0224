// Requests a file of a host whose addresses are all public.
// - It connects to the very addresses that it has checked, because a second look-up of the name may give others.
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { hostIn, isPublicAddress } from '../addresses.ts';

const isPublic = ({ address }: LookupAddress): boolean => isPublicAddress(address);
const notPublic = (): Error => new Error('no public host');

/** A look-up for a connection; all addresses of the name have to be public. */
const lookUpPublic: LookupFunction = (name, options: LookupOptions, callback) =>
  lookup(name, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? notPublic(), '');
    if (!addresses.every(isPublic)) return callback(notPublic(), '');
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });

/** The answer; a redirect is one. @throws Error when the host is not public or does not answer */
export async function fetchPublic(
  url: string,
  { headers, signal }: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Response> {
  const address = new URL(url);
  const host = hostIn(address);
  // Node looks up no host that is an address, so `lookUpPublic` would not check it.
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic();
  const get = address.protocol === 'https:' ? httpsGet : httpGet;
  const request = get(url, { headers, signal, agent: false, lookup: lookUpPublic });
  // After the answer began, its body fails with the same error.
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers: named } = answer;
  const texts = Object.entries(named).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  // A Response with these has no body.
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) answer.resume();
  return new Response(hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null, {
    status,
    headers: texts,
  });
}

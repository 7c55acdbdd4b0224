// Looks up the addresses of a service's host with the resolver of the system.
// - Requests that need the same host share one look-up, because the system makes only two at a time. A look-up that no name server
//   answers takes seconds and cannot be ended: later requests would wait for the look-ups of requests that have ended.
// - Where a look-up fails or takes long, the addresses that were found last are used (RFC 8767, 5), because the service is mostly
//   still there. Else an outage of one name server would cut the service off, even with a second one, which is asked after 5 s.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';

/** Longer than a name server takes that has to ask others, and short beside the 2 s that /readyz has. */
const LATE_MS = 500;

type Addresses = readonly LookupAddress[];

/** The addresses that were found last, by host. It has as many entries as services are configured. */
const lastFound = new Map<string, Addresses>();
const pending = new Map<string, Promise<Addresses>>();

/** Addresses in the system's order. `options` are the same for all requests of a host. Rejects with the error of `dns.lookup`. */
export function addressesOf(host: string, options: LookupOptions): Promise<Addresses> {
  const shared = pending.get(host);
  if (shared) return shared;
  const last = lastFound.get(host);
  const found = new Promise<Addresses>((resolve, reject) =>
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    }),
  );
  const known = last === undefined ? found : firstOf(found, last);
  pending.set(host, known);
  const forget = (): void => void pending.delete(host);
  found.then((addresses) => {
    lastFound.set(host, addresses);
    forget();
  }, forget);
  return known;
}

/** What is found, or `last` where that fails or is late. */
function firstOf(found: Promise<Addresses>, last: Addresses): Promise<Addresses> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(last), LATE_MS);
    const settle = (addresses: Addresses): void => {
      clearTimeout(late);
      resolve(addresses);
    };
    found.then(settle, () => settle(last));
  });
}

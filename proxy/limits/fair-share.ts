// Places for work under way (requests to the service, look-ups of names), so that slow work of some clients leaves places
// for the others.
// - A client has at most its own share. Once less than half of all places are free, the share shrinks with the number of free
//   places (dynamic thresholds): 16 addresses that would fill 256 places at 16 each get 10 each, and 85 stay free.
// - A client with nothing under way gets a place as long as there is one.
// - An IPv6 client counts in the networks around it too (sharesOf).
import { sharesOf } from './client-address.ts';

/** Gives a place back, or ends a count; called once. */
export type Release = () => void;
/** No place is free, or the client has its share. */
type NoPlace = 'full' | 'share_used';

export interface FairShare {
  /** `client` is null for work of the proxy itself, which has no share. Each `kind` is counted apart. */
  take(client: string | null, kind?: string): Release | NoPlace;
}

/** What is left of a share when `free` of `total` places are free; at least 1. */
export const shareLeft = (share: number, free: number, total: number): number =>
  Math.max(1, Math.floor(share * Math.min(1, (2 * free) / total)));

/** `ofClient` is a function where the share of a client may change. */
export function fairShare(total: number, ofClient: number | (() => number)): FairShare {
  const share = (): number => (typeof ofClient === 'number' ? ofClient : ofClient());
  let taken = 0;
  const takenBy = new Map<string, number>();

  const shareOf = (times: number): number => shareLeft(share() * times, total - taken, total);

  return {
    take(client, kind = '') {
      if (taken >= total) return 'full';
      const shares = client === null ? [] : sharesOf(client);
      const names = shares.map(([network]) => `${kind} ${network}`);
      const isUsed = shares.some(([, times], at) => (takenBy.get(names[at] ?? '') ?? 0) >= shareOf(times));
      if (isUsed) return 'share_used';
      taken += 1;
      const release = countUnder(takenBy, names);
      return () => {
        taken -= 1;
        release();
      };
    },
  };
}

/** Counts one more under each of these names. */
export function countUnder(counts: Map<string, number>, names: readonly string[]): Release {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return () => {
    for (const name of names) {
      const left = (counts.get(name) ?? 0) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    }
  };
}

// The smaller sentences of an announcement, without their capital and full stop: the parts of a train that divides, where
// the train is and stops, lifts and escalators (document 1, Route, Display and announcements, Service and facility status).
import type { SplitItem, Working } from './announcement-fields.ts';
import type { Announcement } from './announcement-request.ts';
import type { Station } from './stations.ts';

/** "A, B and C". */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}

export const stationsOf = (stations: readonly Station[]): string => listed(stations.map(({ name }) => name));

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Where the train divides and for where, then which part goes where, in the order given. */
export function partsOfTrain(items: readonly SplitItem[]): readonly string[] {
  const named = (part: SplitItem['part']): string =>
    stationsOf(items.filter((item) => item.part === part).map(({ station }) => station));
  const [at, goesFor] = [named('at'), named('split')];
  const divides =
    at || goesFor
      ? [`this train will divide${at ? ` at ${at}` : ''}${goesFor ? ` for ${goesFor}` : ''}`]
      : [];
  const parts = items.flatMap((item) => {
    if (item.part === 'at' || item.part === 'split') return [];
    const end = item.part === 'front' ? 'front' : 'rear';
    const where =
      item.coaches === null ? `${end} part` : `${end} ${counted(item.coaches, 'coach', 'coaches')}`;
    return [`for ${item.station.name}, please travel in the ${where} of the train`];
  });
  return [...divides, ...parts];
}

/** Where the train is, how long it waits, which stop comes, on which side to leave. */
export function whereabouts(said: Announcement): readonly string[] {
  const { currentlyAt, waitsHere, stopInfo, exitSide, callingAt, destination } = said;
  const words: string[] = [];
  if (currentlyAt) {
    words.push(
      `the train is currently ${currentlyAt.length === 2 ? 'between' : 'at'} ${stationsOf(currentlyAt)}`,
    );
  }
  if (waitsHere !== undefined) words.push(`the train will wait here for ${counted(waitsHere, 'minute')}`);
  if (stopInfo === 'next') words.push(`the next stop is ${(callingAt?.[0] ?? destination).name}`);
  if (stopInfo === 'final') words.push(`the final stop is ${destination.name}`);
  if (exitSide) words.push(`please leave the train on the ${exitSide}-hand side`);
  return words;
}

/** Which lifts or escalators work. */
export function facilities(thing: 'lift' | 'escalator', status: Working | undefined): readonly string[] {
  if (status === undefined) return [];
  if (status === 'all') return [`all ${thing}s are working`];
  if (status === 'none') return [`all ${thing}s are out of order`];
  const are = (count: number): string => `${counted(count, thing)} ${count === 1 ? 'is' : 'are'}`;
  return [`${are(status.broken)} out of order and ${are(status.working)} working`];
}

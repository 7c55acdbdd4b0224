// The sentences that a station would speak for an announcement request (document 1, Announcement request).
// - A static message is all that is spoken.
// - Otherwise each kind of message is a sentence or two of its own, in this order: operator, train or bus, reason, apology,
//   dividing, where the train is, stop, exit, facilities.
// - The train is named when a field describes it, or when nothing else is asked for.
import type { Announcement, FieldName, LiftStatus, SplitItem } from './announcement-request.ts';
import type { Station } from './stations.ts';

/** "A, B and C". */
function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}

const stationsOf = (stations: readonly Station[]): string => listed(stations.map(({ name }) => name));

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Says at which stations the train divides, then which part of it goes to which station, in the order given. */
function partsOfTrain(items: readonly SplitItem[]): readonly string[] {
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

/** Says where the train is, how long it waits, which stop comes next, and on which side to leave. */
function whereabouts(said: Announcement): readonly string[] {
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

/** Says which lifts or escalators work. */
function facilities(thing: 'lift' | 'escalator', status: LiftStatus | undefined): readonly string[] {
  if (status === undefined) return [];
  if (status === 'all') return [`all ${thing}s are working`];
  if (status === 'none') return [`all ${thing}s are out of order`];
  const are = (count: number): string => `${counted(count, thing)} ${count === 1 ? 'is' : 'are'}`;
  return [`${are(status.broken)} out of order and ${are(status.working)} working`];
}

const trainFields: readonly FieldName[] = [
  'timing',
  'platform',
  'via',
  'updatedTiming',
  'updatedPlatform',
  'cancelled',
  'shortDelay',
  'longDelay',
  'noPlatform',
  'callingAt',
  'notCallingAt',
  'platformInfo',
  'arrivalInfo',
];

const spokenTime = (time: string): string => `${time.slice(0, 2)} ${time.slice(2)}`;
const sentence = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}.`;

/** Names the train by its time, company and destination. */
function service({ timing, operator, destination, via }: Announcement): string {
  const words = ['the', timing && spokenTime(timing), operator, 'service to', destination.name];
  const route = via ? ` via ${stationsOf(via)}` : '';
  return words.filter(Boolean).join(' ') + route;
}

/** Says where the train calls. The destination is added (document 1, `callingAt`). */
function calling({ callingAt, destination }: Announcement): string {
  if (!callingAt) return '';
  const names = callingAt.filter((station) => station !== destination).map(({ name }) => name);
  return `, calling at ${listed([...names, destination.name])}`;
}

const isDelayed = ({ shortDelay, longDelay, updatedTiming }: Announcement): boolean =>
  Boolean(shortDelay || longDelay || updatedTiming);

/** "The train now approaching platform 4 is …": null without platformInfo. */
function platformOpening(said: Announcement): string | null {
  const { platformInfo } = said;
  if (!platformInfo) return null;
  const number = said.updatedPlatform ?? said.platform;
  const openings = {
    next: number ? `the next train to depart from platform ${number}` : 'the next train to depart',
    approaching: number ? `the train now approaching platform ${number}` : 'the train now approaching',
    now: number ? `the train now standing at platform ${number}` : 'the train now standing at the platform',
  };
  return sentence(`${openings[platformInfo]} is ${service(said)}${calling(said)}`);
}

/**
 * Statements about the train, each of which follows "the train" or "it". The platform is left out when the opening has named it.
 */
function predicates(said: Announcement, hasOpening: boolean): readonly string[] {
  const { platform, updatedTiming, updatedPlatform, arrivalInfo, notCallingAt } = said;
  const words: string[] = [];
  if (said.cancelled) words.push('has been cancelled');
  if (arrivalInfo) {
    const number = updatedPlatform ?? platform;
    const where = number ? ` at platform ${number}` : arrivalInfo === 'will_arrive' ? ' shortly' : '';
    words.push(`${arrivalInfo === 'will_arrive' ? 'will arrive' : 'has arrived'}${where}`);
  }
  const leaves = platform && !updatedPlatform && !said.cancelled && !arrivalInfo && !hasOpening;
  if (updatedTiming) {
    const from = leaves ? ` from platform ${platform}` : '';
    words.push(`is delayed and is now expected to depart at ${spokenTime(updatedTiming)}${from}`);
  } else if (isDelayed(said)) words.push('is delayed until further notice');
  if (updatedPlatform) {
    const before = platform ? ` instead of platform ${platform}` : '';
    words.push(`will now depart from platform ${updatedPlatform}${before}`);
  } else if (said.noPlatform) words.push('does not have a platform yet');
  else if (leaves && !updatedTiming) words.push(`will depart from platform ${platform}`);
  if (notCallingAt) words.push(`will no longer call at ${stationsOf(notCallingAt)}`);
  return words;
}

function train(said: Announcement): readonly string[] {
  const opening = platformOpening(said);
  const [first, ...others] = predicates(said, opening !== null);
  const named = service(said) + calling(said);
  if (first === undefined) return [opening ?? sentence(`this is ${named}`)];
  const subject = said.callingAt ? `${named},` : named;
  const sorry = said.cancelled ? 'we are sorry to announce that ' : '';
  return [
    ...(opening ? [opening, sentence(`it ${first}`)] : [sentence(`${sorry}${subject} ${first}`)]),
    ...others.map((words) => sentence(`it ${words}`)),
  ];
}

/** The sentences about the train, or about the bus that replaces it; about both when something has changed about the train. */
function trainOrBus(said: Announcement, isTrainSpoken: boolean): readonly string[] {
  if (!said.busReplacement) return isTrainSpoken ? train(said) : [];
  const stop = said.currentStation
    ? [sentence(`this is the stop of the replacement bus at ${said.currentStation.name}`)]
    : [];
  const changed =
    said.cancelled ||
    isDelayed(said) ||
    said.updatedPlatform ||
    said.noPlatform ||
    said.notCallingAt ||
    said.platformInfo ||
    said.arrivalInfo;
  if (changed) {
    return [...train(said), sentence(`a replacement bus service runs to ${said.destination.name}`), ...stop];
  }
  return [sentence(`a replacement bus service runs in place of ${service(said)}${calling(said)}`), ...stop];
}

function operatorWide({ operatorDelay, operator }: Announcement): readonly string[] {
  if (!operatorDelay) return [];
  if (operatorDelay === 'special') return [sentence(`${operator} services run to a special timetable today`)];
  return [sentence(`there are ${operatorDelay} delays to ${operator} services`)];
}

function reason(said: Announcement): readonly string[] {
  if (!said.disruptionReason) return [];
  const caused =
    said.cancelled || isDelayed(said) || said.notCallingAt || said.operatorDelay || said.busReplacement;
  return [sentence(`${caused ? 'this is due to' : 'services may be affected by'} ${said.disruptionReason}`)];
}

/** The announcement in English, one or more sentences. */
export function spokenOf(said: Announcement): string {
  if (said.staticMessage) return said.staticMessage;
  const beside = [
    ...partsOfTrain(said.splitInfo ?? []),
    ...whereabouts(said),
    ...facilities('lift', said.liftStatus),
    ...facilities('escalator', said.escalatorStatus),
  ].map(sentence);
  const ofOperator = operatorWide(said);
  const isTrainNamed =
    trainFields.some((name) => said[name]) ||
    (!said.operatorDelay && Boolean(said.operator || said.disruptionReason));
  return [
    ...ofOperator,
    ...trainOrBus(said, isTrainNamed || (beside.length === 0 && ofOperator.length === 0)),
    ...reason(said),
    ...(said.longDelay ? [sentence('we apologise for the delay to your journey')] : []),
    ...beside,
  ].join(' ');
}

// The codes of operators, disruptions and static messages, with the words that are spoken for them (document 1).
// - Operators are the companies that run passenger trains in Great Britain; any other code is not recognised.
// - Disruptions are the two blocks of the rail data feed, 100 to 187 and 501 to 921; the commonest have words of their own.
// - The service keeps a fixed set of static messages, whose codes the document does not show: the sandbox has these ten.

const names: ReadonlyMap<string, string> = new Map([
  ['AW', 'Transport for Wales'],
  ['CC', 'c2c'],
  ['CH', 'Chiltern Railways'],
  ['CS', 'Caledonian Sleeper'],
  ['EM', 'East Midlands Railway'],
  ['ES', 'Eurostar'],
  ['GC', 'Grand Central'],
  ['GN', 'Great Northern'],
  ['GR', 'London North Eastern Railway'],
  ['GW', 'Great Western Railway'],
  ['GX', 'Gatwick Express'],
  ['HT', 'Hull Trains'],
  ['HX', 'Heathrow Express'],
  ['IL', 'Island Line'],
  ['LD', 'Lumo'],
  ['LE', 'Greater Anglia'],
  ['LM', 'West Midlands Trains'],
  ['LO', 'London Overground'],
  ['LT', 'London Underground'],
  ['ME', 'Merseyrail'],
  ['NT', 'Northern'],
  ['NY', 'North Yorkshire Moors Railway'],
  ['SE', 'Southeastern'],
  ['SN', 'Southern'],
  ['SR', 'ScotRail'],
  ['SW', 'South Western Railway'],
  ['TL', 'Thameslink'],
  ['TP', 'TransPennine Express'],
  ['TW', 'Tyne and Wear Metro'],
  ['VT', 'Avanti West Coast'],
  ['WR', 'West Coast Railways'],
  ['XC', 'CrossCountry'],
  ['XR', 'Elizabeth line'],
]);

/** The company's name, null when the code is not recognised. */
export const operatorOf = (code: string): string | null => names.get(code) ?? null;

const words: ReadonlyMap<number, string> = new Map([
  [100, 'a broken down train'],
  [101, 'a delay on a previous journey'],
  [102, 'a derailed train'],
  [104, 'a fire at a station'],
  [106, 'a landslip'],
  [107, 'a line-side fire'],
  [108, 'a member of train crew being unavailable'],
  [109, 'a passenger being taken ill'],
  [111, 'a person hit by a train'],
  [113, 'a problem at a level crossing'],
  [117, 'a problem with line-side equipment'],
  [118, 'a security alert'],
  [120, 'a train fault'],
  [121, 'a train late from the depot'],
  [123, 'a trespass incident'],
  [124, 'a vehicle striking a bridge'],
  [138, 'an obstruction on the line'],
  [140, 'an operating incident'],
  [141, 'unusually many passengers'],
  [143, 'animals on the line'],
  [145, 'congestion caused by earlier delays'],
  [155, 'electrical supply problems'],
  [156, 'emergency engineering works'],
  [158, 'the emergency services dealing with an incident'],
  [161, 'flooding'],
  [163, 'fog'],
  [165, 'high winds'],
  [167, 'industrial action'],
  [169, 'overhead wire problems'],
  [170, 'over-running engineering works'],
  [173, 'poor rail conditions'],
  [175, 'poor weather conditions'],
  [179, 'signalling problems'],
  [180, 'snow'],
  [182, 'speed restrictions'],
  [184, 'vandalism'],
  [186, 'waiting for a member of train crew'],
  [187, 'engineering works'],
  [501, 'a broken down train'],
  [521, 'a fire on a train'],
  [525, 'a shortage of train crew'],
  [526, 'a shortage of train drivers'],
  [540, 'a person being hit by a train'],
  [547, 'a problem that is being investigated'],
  [574, 'a fault on this train'],
  [576, 'trespassers on the railway'],
  [655, 'a tree blocking the railway'],
  [685, 'overcrowding'],
  [696, 'animals on the railway'],
  [767, 'a failure of the electricity supply'],
  [783, 'flooding'],
  [799, 'high winds'],
  [803, 'industrial action'],
  [811, 'damage to the overhead electric wires'],
  [812, 'engineering works not being finished on time'],
  [816, 'slippery rails'],
  [820, 'severe weather'],
  [832, 'a fault with the signalling system'],
  [837, 'heavy snow'],
  [841, 'a speed restriction'],
  [892, 'a broken rail'],
  [896, 'a points failure'],
  [904, 'congestion'],
]);

const inBlocks = (code: number): boolean => (code >= 100 && code <= 187) || (code >= 501 && code <= 921);

/** The words after "due to"; null when the code is not in the feed. */
export function reasonOf(code: string): string | null {
  const number = /^\d{3}$/.test(code) ? Number(code) : NaN;
  return inBlocks(number) ? (words.get(number) ?? 'disruption on the railway') : null;
}

const messages = {
  SEE_IT_SAY_IT:
    'If you see something that does not look right, please speak to a member of staff or text the British Transport Police on 61016.',
  UNATTENDED_ITEMS: 'Please keep your belongings with you at all times. Unattended items may be removed.',
  MIND_THE_GAP: 'Please mind the gap between the train and the platform.',
  STAND_BACK: 'Please stand well back from the edge of the platform.',
  FAST_TRAIN:
    'The next train does not stop at this station. Please stand well back from the edge of the platform.',
  NO_SMOKING: 'Smoking and vaping are not allowed anywhere in this station.',
  SLIPPERY_SURFACES: 'Surfaces may be slippery today. Please take care in the station.',
  TICKETS_READY: 'Please have your tickets ready for inspection.',
  FIRE_ALARM_TEST: 'The fire alarm is about to be tested. You do not need to take any action.',
  EVACUATE: 'Please leave the station at once by the nearest exit.',
} as const;

export const staticMessageCodes: readonly string[] = Object.keys(messages);

/** The words of the message; null for an unknown code. */
export const staticMessageOf = (code: string): string | null =>
  Object.hasOwn(messages, code) ? messages[code as keyof typeof messages] : null;

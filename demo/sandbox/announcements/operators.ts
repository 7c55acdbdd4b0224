// Train operating companies by their two-letter code (document 1, `operator`). Policy: those that run passenger trains
// in Great Britain; another code is not recognised, as with stations.

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

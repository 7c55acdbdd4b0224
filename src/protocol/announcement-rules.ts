// What document 1 (Announcement request, the tables) demands of a field, checked before anything is spent. Policy: every
// field that is wrong is named at once; shapes and fixed words are checked, codes of stations, operators, reasons and
// static messages are the service's to know; two fields are refused together only where the document itself says that
// one needs the other. A static message overrides all other fields, so nothing else is needed with it.
import type { AnnouncementWord } from './announcement-fields.ts';

interface Rule {
  readonly shape: RegExp;
  /** What is right, in words. */
  readonly words: string;
}

const rule = (shape: RegExp, words: string): Rule => ({ shape, words });
const oneOf = (...values: readonly string[]): Rule =>
  rule(new RegExp(`^(${values.join('|')})$`), `one of ${values.join(', ')}`);

const time = rule(/^(([01]\d|2[0-3])[0-5]\d)?$/, '4 digits HHMM');
const platform = rule(/^((\d|1\d|2[0-4])[A-D]?)?$/, '0 to 24, with or without a letter from A to D');
const crs = rule(/^[A-Za-z]{3}$/, 'a CRS code of 3 letters');
const crsList = rule(/^[A-Za-z]{3}(,[A-Za-z]{3})*$/, 'CRS codes of 3 letters with commas between');
const working = rule(/^(\d+broke,\d+work|allwork|allbroke)$/, '<X>broke,<Y>work, allwork or allbroke');
const colour = '(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])';

/** A place is a CRS code or a TIPLOC of up to 7 letters and digits. */
const rules: Readonly<Partial<Record<AnnouncementWord, Rule>>> = {
  destination: rule(/^[A-Za-z0-9]{3,7}$/, 'a CRS or TIPLOC code'),
  timing: time,
  platform,
  operator: rule(/^[A-Za-z]{2}$/, 'a code of 2 letters'),
  via: crsList,
  updatedTiming: time,
  updatedPlatform: platform,
  callingAt: rule(/^[A-Za-z0-9]{3,7}(,[A-Za-z0-9]{3,7})*$/, 'CRS or TIPLOC codes with commas between'),
  notCallingAt: crsList,
  splitInfo: rule(
    /^(at|split|\d*front|\d*back)[A-Za-z]{3}(,(at|split|\d*front|\d*back)[A-Za-z]{3})*$/,
    'at<CRS>, split<CRS>, <n>front<CRS> or <n>back<CRS>, with commas between',
  ),
  platformInfo: oneOf('next', 'approaching', 'now'),
  arrivalInfo: oneOf('will_arrive', 'has_arrived'),
  stopInfo: oneOf('next', 'final'),
  currentlyAt: rule(/^[A-Za-z]{3}(,[A-Za-z]{3})?$/, 'one CRS code, or two with a comma between'),
  waitsHere: rule(/^\d+$/, 'minutes as digits'),
  exitSide: oneOf('left', 'right'),
  currentStation: crs,
  operatorDelay: oneOf('minor', 'severe', 'special'),
  liftStatus: working,
  escalatorStatus: working,
  bgColour: rule(
    new RegExp(`^(${colour},${colour},${colour}|-1,-1,-1)$`),
    '<r>,<g>,<b> of 0 to 255, or -1,-1,-1',
  ),
};

/** First field, the field it cannot be without. */
const needs: readonly (readonly [string, string])[] = [
  ['currentStation', 'busReplacement'],
  ['operatorDelay', 'operator'],
];

/** What is wrong with a body, a line for each field: its name, a colon, what would be right. */
export function announcementProblems(body: Readonly<Record<string, string>>): string[] {
  const problems = Object.entries(rules).flatMap(([name, { shape, words }]) => {
    const given = body[name];
    return given === undefined || shape.test(given) ? [] : [`${name}: ${words}`];
  });
  if (body.staticMessage) return problems;
  const lacking = needs.filter(([name, needed]) => body[name] && !body[needed]);
  return [...problems, ...lacking.map(([name, needed]) => `${name}: needs ${needed}`)];
}

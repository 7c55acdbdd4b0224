// The values that each field of an announcement request accepts, the fields that can be together, and the text of a refusal.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  announcementFields,
  AnnouncementRefused,
  type FieldName,
  readAnnouncement,
} from '../../../demo/sandbox/announcements/announcement-request.ts';
import { staticMessageCodes } from '../../../demo/sandbox/announcements/rail-codes.ts';
import { eachCase } from '../each-case.ts';

/** The errorLog of a refusal, null when it is accepted. */
function refusal(body: unknown): string | null {
  try {
    readAnnouncement(body);
    return null;
  } catch (error) {
    assert.ok(error instanceof AnnouncementRefused);
    return error.message;
  }
}

const times = {
  good: ['0000', '0905', '1432', '2359', ''],
  bad: ['2400', '1260', '932', '14:32', '14325', ' 1432', 'noon', 1432, null],
};
const platforms = {
  good: ['0', '4', '24', '12A', '0D', ''],
  bad: ['25', '-1', '4E', '4a', 'A', 'A4', '04', '4 A', '4AB', 4, null],
};
const flags = { good: ['true', 'false', true, false], bad: ['', 'yes', 'TRUE', '1', 1, null] };
const crsLists = {
  good: ['PBO', 'PBO,GRA', Array(60).fill('PBO').join(',')],
  bad: [
    '',
    'PBO,',
    ',PBO',
    'PBO, GRA',
    'PBO;GRA',
    'ZZZ',
    'PBO,ZZZ',
    'pbo',
    'LEEDS',
    ['PBO'],
    Array(61).fill('PBO').join(','),
  ],
};
const facilities = {
  good: ['allwork', 'allbroke', '1broke,2work', '0broke,12work'],
  bad: [
    '',
    'all',
    '1broke',
    '2work,1broke',
    '1broke, 2work',
    '-1broke,2work',
    '100broke,2work',
    'broke,work',
    true,
  ],
};

/** Values that are accepted with only a destination, and values that are refused. `beside` has the fields that a field needs. */
const values: Readonly<
  Record<FieldName, { good: readonly unknown[]; bad: readonly unknown[]; beside?: Record<string, unknown> }>
> = {
  destination: {
    good: ['KGX', 'LDS', 'LEEDS', 'KNGX'],
    bad: ['', 'ZZZ', 'kgx', 'London', ' KGX', 'KGX,LDS', 7, null],
  },
  timing: times,
  platform: platforms,
  operator: { good: ['GR', 'NT'], bad: ['', 'gr', 'G', 'GRR', 'QQ', 'LNER', 5] },
  via: crsLists,
  updatedTiming: { good: times.good.filter((time) => time !== ''), bad: ['', ...times.bad] },
  updatedPlatform: platforms,
  cancelled: flags,
  shortDelay: flags,
  longDelay: flags,
  disruptionReason: {
    good: ['100', '187', '501', '921'],
    bad: ['', '99', '188', '500', '922', '1000', '1e2', '0100', 'signal', 100],
  },
  noPlatform: flags,
  callingAt: {
    good: ['PBO', 'PBO,GRA', 'PBRO,GRA'],
    bad: ['', 'PBO,', 'PBO, GRA', 'ZZZ', 'PBO,QQQQ', 12],
  },
  notCallingAt: crsLists,
  splitInfo: {
    good: ['atYRK', 'splitEDB', 'frontEDB', 'backSCA', '4frontEDB', 'atYRK,splitEDB,12frontEDB,1backSCA'],
    bad: [
      '',
      'YRK',
      'atZZZ',
      'atYORK',
      'at',
      '0frontEDB',
      '100frontEDB',
      '4atYRK',
      'middleEDB',
      'atYRK, frontEDB',
      'AtYRK',
    ],
  },
  platformInfo: { good: ['next', 'approaching', 'now'], bad: ['', 'later', 'NEXT', true] },
  arrivalInfo: { good: ['will_arrive', 'has_arrived'], bad: ['', 'arrived', 'will arrive'] },
  stopInfo: { good: ['next', 'final'], bad: ['', 'last', 'next,final'] },
  currentlyAt: { good: ['PBO', 'PBO,GRA'], bad: ['', 'ZZZ', 'PBO,', 'PBO,GRA,RET', 'LEEDS'] },
  waitsHere: { good: ['0', '5', '120'], bad: ['', '-5', '5.5', '5 minutes', '1000', 5] },
  exitSide: { good: ['left', 'right'], bad: ['', 'both', 'Left'] },
  busReplacement: flags,
  currentStation: { good: ['YRK'], bad: ['', 'ZZZ', 'YORK', 'YRK,LDS'], beside: { busReplacement: 'true' } },
  operatorDelay: {
    good: ['minor', 'severe', 'special'],
    bad: ['', 'none', 'Severe'],
    beside: { operator: 'GR' },
  },
  liftStatus: facilities,
  escalatorStatus: facilities,
  staticMessage: { good: staticMessageCodes, bad: ['', 'NO_SUCH_MESSAGE', 'mind_the_gap', '__proto__', 1] },
  bgColour: {
    good: ['0,0,0', '255,255,255', '18,52,86', '-1,-1,-1'],
    bad: ['', '256,0,0', '0,0', '0,0,0,0', '-1,0,0', '-1,-1,-2', '#ffffff', '1.5,0,0', '0, 0, 0', 'white'],
  },
};

const shown = (value: unknown): string => {
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 40)}…` : json;
};

test('every field takes its documented values, and a refusal of any other names that field alone', () =>
  eachCase(Object.keys(announcementFields) as FieldName[], (name) => {
    const { good, bad, beside } = values[name];
    for (const value of good) {
      assert.equal(refusal({ destination: 'LDS', ...beside, [name]: value }), null, shown(value));
    }
    for (const value of bad) {
      const errorLog = refusal({ destination: 'LDS', ...beside, [name]: value });
      assert.match(String(errorLog), new RegExp(`^${name}: [^;]+$`), shown(value));
    }
  }));

test('every announcement needs a destination', () => {
  for (const body of [{}, { timing: '1432' }, { splitInfo: 'atYRK' }, { staticMessage: 'MIND_THE_GAP' }]) {
    assert.equal(refusal(body), 'destination: missing, it is required');
  }
});

test('a body that is not a JSON object is refused', () => {
  for (const body of [undefined, null, [], 'KGX', 7, [{ destination: 'KGX' }]]) {
    assert.equal(refusal(body), 'body: a JSON object');
  }
});

test('a field that the document does not have is refused by its name, shortened', () => {
  assert.equal(refusal({ destination: 'KGX', Timing: '1432' }), 'Timing: unknown field');
  assert.equal(refusal({ destination: 'KGX', constructor: '1' }), 'constructor: unknown field');
  assert.equal(refusal({ destination: 'KGX', ['x'.repeat(9000)]: '1' }), `${'x'.repeat(40)}: unknown field`);
});

test('one refusal names everything that is wrong', () => {
  const errorLog = refusal({
    timing: '2500',
    platform: '99',
    operatorDelay: 'minor',
    bgColour: 'red',
    colour: 'red',
  });
  assert.deepEqual(
    errorLog?.split('; ').map((problem) => problem.split(':')[0]),
    ['timing', 'platform', 'bgColour', 'colour', 'destination', 'operatorDelay'],
  );
});

test('a refusal of very many fields stays short', () => {
  const body = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`field${n}`, 'x']));
  assert.equal(refusal(body)?.split('; ').length, 50);
});

/** Fields besides the destination, and the fields that the refusal names; null when the announcement can be spoken. */
const together: readonly (readonly [body: Record<string, unknown>, words: string | null])[] = [
  [{ currentStation: 'YRK' }, 'currentStation: needs busReplacement'],
  [{ currentStation: 'YRK', busReplacement: 'false' }, 'currentStation: needs busReplacement'],
  [{ currentStation: 'YRK', busReplacement: true }, null],
  [{ operatorDelay: 'minor' }, 'operatorDelay: needs operator'],
  [{ operatorDelay: 'minor', operator: 'GR' }, null],
  [{ cancelled: 'true', shortDelay: 'true' }, 'shortDelay: cannot be together with cancelled'],
  [{ cancelled: 'true', longDelay: true }, 'longDelay: cannot be together with cancelled'],
  [
    { cancelled: 'true', timing: '1432', updatedTiming: '1445' },
    'updatedTiming: cannot be together with cancelled',
  ],
  [
    { cancelled: 'true', platform: '1', updatedPlatform: '2' },
    'updatedPlatform: cannot be together with cancelled',
  ],
  [{ cancelled: 'true', platformInfo: 'next' }, 'platformInfo: cannot be together with cancelled'],
  [{ cancelled: 'true', arrivalInfo: 'has_arrived' }, 'arrivalInfo: cannot be together with cancelled'],
  [{ cancelled: 'true', disruptionReason: '100', timing: '1432', platform: '4' }, null],
  [{ cancelled: 'true', shortDelay: 'false', updatedPlatform: '' }, null],
  [{ cancelled: 'false', shortDelay: 'true' }, null],
  [{ shortDelay: 'true', longDelay: 'true' }, null],
  [{ shortDelay: 'true', updatedTiming: '1445' }, 'updatedTiming: cannot be together with shortDelay'],
  [{ longDelay: 'true', updatedTiming: '1445' }, 'updatedTiming: cannot be together with longDelay'],
  [{ noPlatform: 'true', platform: '4' }, 'platform: cannot be together with noPlatform'],
  [{ noPlatform: 'true', updatedPlatform: '4' }, 'updatedPlatform: cannot be together with noPlatform'],
  [{ noPlatform: 'true', platform: '' }, null],
  [{ callingAt: 'PBO,GRA', notCallingAt: 'GRA,RET' }, 'notCallingAt: GRA is in callingAt, too'],
  [{ callingAt: 'GTHM', notCallingAt: 'GRA' }, 'notCallingAt: GRA is in callingAt, too'],
  [{ callingAt: 'PBO', notCallingAt: 'GRA' }, null],
  [{ updatedTiming: '1445' }, null],
  [{ updatedPlatform: '5' }, null],
  [{ staticMessage: 'MIND_THE_GAP', cancelled: 'true', shortDelay: 'true', operatorDelay: 'minor' }, null],
  [{ staticMessage: 'MIND_THE_GAP', timing: '25' }, 'timing: 4 digits HHMM from 0000 to 2359, or empty'],
];

test('fields that contradict each other are refused, and all others can be spoken together', () => {
  for (const [body, words] of together) {
    assert.equal(refusal({ destination: 'LDS', ...body }), words, JSON.stringify(body));
  }
});

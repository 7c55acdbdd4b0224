// Document 1, Resources and their fields: what each field accepts and what it refuses.
// - A refused request makes no video, so refused values are tried one at a time.
// - Accepted values are tried together, as many fields in one request as possible.
import { free, paid, type Case } from '../case.ts';
import type { SentenceId } from '../sentences/index.ts';
import { accepted, assertRefused, submit } from './api.ts';

/** Requests with only this one mistake. KGX is a destination that the document itself names. */
const wrong: readonly (readonly [shows: SentenceId, ...fields: readonly object[]])[] = [
  ['1.destination.unrecognised', { destination: 'QQQ' }, { destination: 'NOWHERE' }],
  [
    '1.timing.shape',
    { timing: '930' },
    { timing: '9:30' },
    { timing: '09301' },
    { timing: '2460' },
    { timing: 'noon' },
  ],
  ['1.platform.shape', { platform: '25' }, { platform: '4E' }, { platform: 'A4' }, { platform: '-1' }],
  ['1.operator.shape', { operator: 'G' }, { operator: 'GRR' }, { operator: '12' }],
  ['1.via.shape', { via: 'York' }, { via: 'YRK;DAR' }],
  ['1.updated-timing.shape', { updatedTiming: '25:00' }, { updatedTiming: '2561' }],
  ['1.updated-platform.shape', { updatedPlatform: '31' }, { updatedPlatform: '4Z' }],
  ['1.disruption.code', { disruptionReason: 'leaves' }],
  ['1.calling-at.shape', { callingAt: 'York and Darlington' }, { callingAt: 'YRK|DAR' }],
  ['1.not-calling-at.shape', { notCallingAt: 'York' }],
  ['1.split-info.shape', { splitInfo: 'nearYRK' }, { splitInfo: 'at' }, { splitInfo: 'xfrontYRK' }],
  ['1.platform-info.values', { platformInfo: 'soon' }],
  ['1.arrival-info.values', { arrivalInfo: 'arrived' }],
  ['1.stop-info.values', { stopInfo: 'first' }],
  ['1.currently-at.shape', { currentlyAt: 'YRK,DAR,NCL' }, { currentlyAt: 'York' }],
  ['1.waits-here.shape', { waitsHere: 'five' }, { waitsHere: '-5' }],
  ['1.exit-side.values', { exitSide: 'both' }],
  ['1.current-station.needs', { currentStation: 'YRK' }, { currentStation: 'YRK', busReplacement: 'false' }],
  ['1.operator-delay.values', { operatorDelay: 'small', operator: 'GR' }],
  ['1.operator-delay.needs', { operatorDelay: 'minor' }],
  ['1.lift-status.shape', { liftStatus: 'broken' }, { liftStatus: '1broke' }, { liftStatus: '1broke2work' }],
  ['1.escalator-status.shape', { escalatorStatus: 'somework' }, { escalatorStatus: 'xbroke,ywork' }],
  ['1.static-message.set', { staticMessage: 'no such message' }],
  [
    '1.bg-colour.shape',
    { bgColour: 'red' },
    { bgColour: '1,2' },
    { bgColour: '256,0,0' },
    { bgColour: '-1,0,0' },
    { bgColour: '1,2,3,4' },
  ],
  ['1.values.types', { timing: 930 }, { platform: ['4'] }, { via: { crs: 'YRK' } }, { operator: null }],
  [
    '1.flags.boolean',
    { cancelled: 'maybe' },
    { shortDelay: 1 },
    { longDelay: 'yes' },
    { noPlatform: 'none' },
    { busReplacement: 'bus' },
  ],
];

const right: readonly (readonly [shows: readonly SentenceId[], body: object])[] = [
  [['1.destination.only', '1.destination.codes'], { destination: 'EDB' }],
  [
    ['1.destination.codes', '1.timing.empty', '1.platform.empty'],
    { destination: 'KNGX', timing: '', platform: '' },
  ],
  [
    ['1.type.departure', '1.timing.shape', '1.platform.shape', '1.via.shape'],
    { destination: 'EDB', timing: '0000', platform: '24D', via: 'YRK,NCL' },
  ],
  [
    ['1.type.departure-calling', '1.operator.shape', '1.calling-at.shape'],
    { destination: 'EDB', timing: '2359', platform: '0', operator: 'GR', callingAt: 'YRK,NWCSTLE' },
  ],
  [
    ['1.type.cancellation', '1.flags.boolean', '1.disruption.code'],
    { destination: 'EDB', cancelled: 'true', disruptionReason: '100' },
  ],
  [
    ['1.type.platform-change', '1.updated-platform.shape'],
    { destination: 'EDB', platform: '4', updatedPlatform: '11A' },
  ],
  [
    ['1.type.delay', '1.updated-timing.shape', '1.disruption.code'],
    { destination: 'EDB', timing: '0930', updatedTiming: '0945', disruptionReason: '501' },
  ],
  [
    ['1.type.splitting', '1.split-info.shape', '1.split-info.count'],
    { destination: 'EDB', splitInfo: 'atYRK,splitNCL,4frontEDB,backNCL' },
  ],
  [
    ['1.not-calling-at.shape', '1.flags.boolean'],
    { destination: 'EDB', notCallingAt: 'DAR,NCL', shortDelay: 'true' },
  ],
  ...(['next', 'approaching', 'now'] as const).map(
    (platformInfo) =>
      [['1.platform-info.values'], { destination: 'EDB', platform: '4', platformInfo }] as const,
  ),
  [
    ['1.arrival-info.values', '1.exit-side.values', '1.currently-at.shape'],
    { destination: 'EDB', arrivalInfo: 'will_arrive', exitSide: 'left', currentlyAt: 'YRK' },
  ],
  [
    ['1.arrival-info.values', '1.exit-side.values', '1.currently-at.shape', '1.waits-here.shape'],
    {
      destination: 'EDB',
      arrivalInfo: 'has_arrived',
      exitSide: 'right',
      currentlyAt: 'YRK,DAR',
      waitsHere: '12',
    },
  ],
  [['1.stop-info.values'], { destination: 'EDB', stopInfo: 'next' }],
  [['1.stop-info.values'], { destination: 'EDB', stopInfo: 'final' }],
  [
    ['1.current-station.needs', '1.flags.boolean'],
    { destination: 'EDB', busReplacement: 'true', currentStation: 'YRK' },
  ],
  ...(['minor', 'severe', 'special'] as const).map(
    (operatorDelay) =>
      [
        ['1.operator-delay.values', '1.operator-delay.needs'],
        { destination: 'EDB', operator: 'GR', operatorDelay },
      ] as const,
  ),
  ...(['1broke,2work', 'allwork', 'allbroke'] as const).map(
    (status) =>
      [
        ['1.lift-status.shape', '1.escalator-status.shape'],
        { destination: 'EDB', liftStatus: status, escalatorStatus: status },
      ] as const,
  ),
  [
    ['1.flags.boolean'],
    {
      destination: 'EDB',
      longDelay: 'true',
      noPlatform: 'true',
      cancelled: 'false',
      busReplacement: 'false',
    },
  ],
  [['1.bg-colour.shape'], { destination: 'EDB', bgColour: '0,128,255' }],
];

export const fields: readonly Case[] = [
  ...[{}, { timing: '0930', platform: '4' }].map((body) =>
    free(
      `${JSON.stringify(body)} is 400: it has no destination`,
      ['1.destination.required', '1.error.envelope', '1.error.log'],
      async (service) => {
        assertRefused(await submit(service, body), 400);
      },
    ),
  ),
  free('a destination that is a number is 400', ['1.values.types'], async (service) => {
    assertRefused(await submit(service, { destination: 5 }), 400);
  }),
  ...wrong.flatMap(([shows, ...bodies]) =>
    bodies.map((fault) =>
      free(`${JSON.stringify(fault)} is 400`, [shows, '1.error.envelope', '1.error.log'], async (service) => {
        assertRefused(await submit(service, { destination: 'KGX', ...fault }), 400);
      }),
    ),
  ),
  ...right.map(([shows, body]) =>
    paid(`${JSON.stringify(body)} is accepted`, [...shows, '1.submit.response'], async (service) => {
      await accepted(service, body);
    }),
  ),
  ...[[], 'KGX', 5, null].map((body) =>
    free(
      `the body ${JSON.stringify(body)} is 400`,
      ['1.submit.body', '1.error.envelope'],
      async (service) => {
        assertRefused(await submit(service, body), 400);
      },
    ),
  ),
];

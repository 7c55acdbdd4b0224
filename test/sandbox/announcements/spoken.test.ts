// The sentences that a station would speak: each kind of announcement with its full text.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readAnnouncement } from '../../../demo/sandbox/announcements/announcement-request.ts';
import { spokenOf } from '../../../demo/sandbox/announcements/spoken.ts';
import { eachCase } from '../each-case.ts';

const announcements: readonly (readonly [kind: string, request: Record<string, unknown>, spoken: string])[] =
  [
    ['destination alone', { destination: 'LDS' }, 'This is the service to Leeds.'],
    [
      'departure',
      { destination: 'LDS', timing: '1432', platform: '4' },
      'The 14 32 service to Leeds will depart from platform 4.',
    ],
    [
      'departure with no platform known',
      { destination: 'LDS', timing: '0905', platform: '' },
      'This is the 09 05 service to Leeds.',
    ],
    [
      'departure with operator and calling stations',
      { destination: 'LDS', timing: '1432', platform: '4', operator: 'GR', callingAt: 'SVG,PBRO,WKF' },
      'The 14 32 London North Eastern Railway service to Leeds, calling at Stevenage, Peterborough, Wakefield Westgate and Leeds, will depart from platform 4.',
    ],
    [
      'the destination among the calling stations is spoken once',
      { destination: 'LEEDS', callingAt: 'WKF,LDS' },
      'This is the service to Leeds, calling at Wakefield Westgate and Leeds.',
    ],
    [
      'via',
      { destination: 'MAN', timing: '1515', platform: '12A', via: 'MKC,SOT' },
      'The 15 15 service to Manchester Piccadilly via Milton Keynes Central and Stoke-on-Trent will depart from platform 12A.',
    ],
    [
      'cancellation with a reason',
      { destination: 'LDS', timing: '1432', operator: 'GR', cancelled: 'true', disruptionReason: '179' },
      'We are sorry to announce that the 14 32 London North Eastern Railway service to Leeds has been cancelled. This is due to signalling problems.',
    ],
    [
      'cancellation with calling stations and a platform',
      { destination: 'LDS', platform: '4', cancelled: true, callingAt: 'PBO' },
      'We are sorry to announce that the service to Leeds, calling at Peterborough and Leeds, has been cancelled.',
    ],
    [
      'delay with a new time and a reason',
      { destination: 'LDS', timing: '1432', updatedTiming: '1445', disruptionReason: '100' },
      'The 14 32 service to Leeds is delayed and is now expected to depart at 14 45. This is due to a broken down train.',
    ],
    [
      'delay with a new time from a platform',
      { destination: 'LDS', timing: '1432', platform: '4', updatedTiming: '1445' },
      'The 14 32 service to Leeds is delayed and is now expected to depart at 14 45 from platform 4.',
    ],
    [
      'delay without end',
      { destination: 'LDS', timing: '1432', shortDelay: 'true' },
      'The 14 32 service to Leeds is delayed until further notice.',
    ],
    [
      'delay without end, with an apology',
      { destination: 'LDS', timing: '1432', longDelay: 'true', disruptionReason: '161' },
      'The 14 32 service to Leeds is delayed until further notice. This is due to flooding. We apologise for the delay to your journey.',
    ],
    [
      'platform change',
      { destination: 'LDS', timing: '1432', platform: '4', updatedPlatform: '5B' },
      'The 14 32 service to Leeds will now depart from platform 5B instead of platform 4.',
    ],
    [
      'platform change of a delayed train',
      { destination: 'LDS', platform: '4', updatedPlatform: '5', updatedTiming: '1445' },
      'The service to Leeds is delayed and is now expected to depart at 14 45. It will now depart from platform 5 instead of platform 4.',
    ],
    [
      'new platform alone',
      { destination: 'LDS', updatedPlatform: '0' },
      'The service to Leeds will now depart from platform 0.',
    ],
    [
      'no platform yet',
      { destination: 'LDS', timing: '1432', noPlatform: 'true' },
      'The 14 32 service to Leeds does not have a platform yet.',
    ],
    [
      'next train at a platform',
      { destination: 'LDS', timing: '1432', platform: '4', platformInfo: 'next', callingAt: 'PBO' },
      'The next train to depart from platform 4 is the 14 32 service to Leeds, calling at Peterborough and Leeds.',
    ],
    [
      'approaching train',
      { destination: 'LDS', timing: '1432', platform: '4', platformInfo: 'approaching' },
      'The train now approaching platform 4 is the 14 32 service to Leeds.',
    ],
    [
      'train now at a platform, delayed',
      { destination: 'LDS', platform: '4', platformInfo: 'now', updatedTiming: '1445' },
      'The train now standing at platform 4 is the service to Leeds. It is delayed and is now expected to depart at 14 45.',
    ],
    [
      'next train, no platform',
      { destination: 'LDS', platformInfo: 'next' },
      'The next train to depart is the service to Leeds.',
    ],
    [
      'approaching, no platform',
      { destination: 'LDS', platformInfo: 'approaching' },
      'The train now approaching is the service to Leeds.',
    ],
    [
      'now, no platform',
      { destination: 'LDS', platformInfo: 'now' },
      'The train now standing at the platform is the service to Leeds.',
    ],
    [
      'train that will arrive',
      { destination: 'LDS', timing: '1432', platform: '4', arrivalInfo: 'will_arrive' },
      'The 14 32 service to Leeds will arrive at platform 4.',
    ],
    [
      'train that will arrive, no platform',
      { destination: 'LDS', arrivalInfo: 'will_arrive' },
      'The service to Leeds will arrive shortly.',
    ],
    [
      'train that has arrived',
      { destination: 'LDS', timing: '1432', platform: '4', arrivalInfo: 'has_arrived' },
      'The 14 32 service to Leeds has arrived at platform 4.',
    ],
    ['next stop', { destination: 'LDS', stopInfo: 'next' }, 'The next stop is Leeds.'],
    [
      'next stop of several',
      { destination: 'LDS', stopInfo: 'next', callingAt: 'WKF' },
      'This is the service to Leeds, calling at Wakefield Westgate and Leeds. The next stop is Wakefield Westgate.',
    ],
    [
      'final stop',
      { destination: 'LDS', stopInfo: 'final', exitSide: 'left' },
      'The final stop is Leeds. Please leave the train on the left-hand side.',
    ],
    [
      'exit on the right',
      { destination: 'LDS', exitSide: 'right' },
      'Please leave the train on the right-hand side.',
    ],
    ['at a station', { destination: 'LDS', currentlyAt: 'PBO' }, 'The train is currently at Peterborough.'],
    [
      'between stations',
      { destination: 'LDS', currentlyAt: 'PBO,GRA' },
      'The train is currently between Peterborough and Grantham.',
    ],
    ['waiting here', { destination: 'LDS', waitsHere: '5' }, 'The train will wait here for 5 minutes.'],
    [
      'waiting here for a minute',
      { destination: 'LDS', waitsHere: '1' },
      'The train will wait here for 1 minute.',
    ],
    [
      'stations no longer called at',
      { destination: 'LDS', timing: '1432', platform: '4', notCallingAt: 'SVG,GRA', disruptionReason: '145' },
      'The 14 32 service to Leeds will depart from platform 4. It will no longer call at Stevenage and Grantham. This is due to congestion caused by earlier delays.',
    ],
    [
      'a station no longer called at, alone',
      { destination: 'LDS', notCallingAt: 'SVG' },
      'The service to Leeds will no longer call at Stevenage.',
    ],
    [
      'splitting alone',
      { destination: 'KGX', splitInfo: 'atYRK,4frontEDB,1backSCA' },
      'This train will divide at York. For Edinburgh, please travel in the front 4 coaches of the train. For Scarborough, please travel in the rear 1 coach of the train.',
    ],
    [
      'splitting with no coach counts, after a departure',
      {
        destination: 'EDB',
        timing: '1432',
        platform: '4',
        splitInfo: 'atYRK,splitEDB,splitSCA,frontEDB,backSCA',
      },
      'The 14 32 service to Edinburgh will depart from platform 4. This train will divide at York for Edinburgh and Scarborough. For Edinburgh, please travel in the front part of the train. For Scarborough, please travel in the rear part of the train.',
    ],
    [
      'splitting, only the parts',
      { destination: 'KGX', splitInfo: 'frontEDB' },
      'For Edinburgh, please travel in the front part of the train.',
    ],
    [
      'splitting, only where',
      { destination: 'KGX', splitInfo: 'splitSCA' },
      'This train will divide for Scarborough.',
    ],
    [
      'bus in place of the train',
      { destination: 'LDS', timing: '1432', busReplacement: 'true', disruptionReason: '187' },
      'A replacement bus service runs in place of the 14 32 service to Leeds. This is due to engineering works.',
    ],
    [
      'bus stop of the current station',
      { destination: 'LDS', busReplacement: true, currentStation: 'YRK' },
      'A replacement bus service runs in place of the service to Leeds. This is the stop of the replacement bus at York.',
    ],
    [
      'bus after a cancellation',
      { destination: 'LDS', cancelled: 'true', busReplacement: 'true' },
      'We are sorry to announce that the service to Leeds has been cancelled. A replacement bus service runs to Leeds.',
    ],
    [
      'minor delays of an operator',
      { destination: 'LDS', operator: 'GR', operatorDelay: 'minor' },
      'There are minor delays to London North Eastern Railway services.',
    ],
    [
      'severe delays of an operator with a reason',
      { destination: 'LDS', operator: 'GR', operatorDelay: 'severe', disruptionReason: '169' },
      'There are severe delays to London North Eastern Railway services. This is due to overhead wire problems.',
    ],
    [
      'special timetable of an operator',
      { destination: 'LDS', operator: 'NT', operatorDelay: 'special' },
      'Northern services run to a special timetable today.',
    ],
    [
      'operator-wide delay and a train',
      { destination: 'LDS', operator: 'NT', operatorDelay: 'severe', timing: '1432', platform: '4' },
      'There are severe delays to Northern services. The 14 32 Northern service to Leeds will depart from platform 4.',
    ],
    ['operator alone', { destination: 'LDS', operator: 'NT' }, 'This is the Northern service to Leeds.'],
    [
      'reason with no disruption',
      { destination: 'LDS', disruptionReason: '837' },
      'This is the service to Leeds. Services may be affected by heavy snow.',
    ],
    [
      'reason that has no words here',
      { destination: 'LDS', cancelled: 'true', disruptionReason: '653' },
      'We are sorry to announce that the service to Leeds has been cancelled. This is due to disruption on the railway.',
    ],
    [
      'lifts, some',
      { destination: 'LDS', liftStatus: '1broke,2work' },
      '1 lift is out of order and 2 lifts are working.',
    ],
    ['lifts, all working', { destination: 'LDS', liftStatus: 'allwork' }, 'All lifts are working.'],
    [
      'escalators, all broken, after a departure',
      { destination: 'LDS', platform: '4', escalatorStatus: 'allbroke' },
      'The service to Leeds will depart from platform 4. All escalators are out of order.',
    ],
    [
      'escalators, some',
      { destination: 'LDS', escalatorStatus: '2broke,1work' },
      '2 escalators are out of order and 1 escalator is working.',
    ],
    [
      'a static message overrides everything',
      {
        destination: 'LDS',
        timing: '1432',
        platform: '4',
        cancelled: 'true',
        shortDelay: 'true',
        staticMessage: 'MIND_THE_GAP',
      },
      'Please mind the gap between the train and the platform.',
    ],
    [
      'flags that are false say nothing',
      { destination: 'LDS', cancelled: 'false', longDelay: false, busReplacement: 'false' },
      'This is the service to Leeds.',
    ],
    [
      'a TIPLOC is the same station',
      { destination: 'EDINBUR', timing: '1432' },
      'This is the 14 32 service to Edinburgh.',
    ],
  ];

test('each kind of announcement is spoken in full sentences', () =>
  eachCase(announcements, ([, request, spoken]) =>
    assert.equal(spokenOf(readAnnouncement(request)), spoken),
  ));

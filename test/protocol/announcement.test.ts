// The requests and answers of a train announcement (document 1).
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  announcementBody,
  parseAnnouncementStatus,
  parseSubmitted,
  type AnnouncementFields,
} from '../../src/protocol/announcement.ts';
import type { SignError } from '../../src/protocol/sign-error.ts';

test('fields are sent unchanged, and flags as the string "true"', () => {
  assert.deepEqual(
    announcementBody({ destination: 'EDB', timing: '', platform: '4A', cancelled: true, longDelay: false }),
    { destination: 'EDB', timing: '', platform: '4A', cancelled: 'true' },
  );
});

test('a flag that is the string "false" is not sent', () => {
  const fields = { destination: 'EDB', cancelled: 'false', noPlatform: 'true' } as unknown;
  assert.deepEqual(announcementBody(fields as AnnouncementFields), {
    destination: 'EDB',
    noPlatform: 'true',
  });
});

test('an announcement with only split-info or a static message needs no destination', () => {
  assert.deepEqual(announcementBody({ splitInfo: 'atYRK' }), { splitInfo: 'atYRK', destination: 'KGX' });
  const coloured = { splitInfo: 'atYRK', bgColour: '0,0,0', timing: '' };
  assert.equal(announcementBody(coloured).destination, 'KGX');
  assert.equal(announcementBody({ staticMessage: 'SM1', timing: '0930' }).destination, 'KGX');
  assert.equal(announcementBody({ staticMessage: 'SM1', destination: 'EDB' }).destination, 'EDB');
});

test('any other announcement needs a destination', () => {
  for (const fields of [{ timing: '0930' }, { splitInfo: 'atYRK', timing: '0930' }, { cancelled: true }]) {
    assert.throws(() => announcementBody(fields), {
      code: 'invalid_request',
      message: 'destination: missing',
    });
  }
});

test('an empty string is sent for times and platforms only', () => {
  const fields = {
    destination: 'EDB',
    timing: '',
    updatedPlatform: '',
    via: '',
    staticMessage: '',
    bgColour: '',
  };
  assert.deepEqual(announcementBody(fields), { destination: 'EDB', timing: '', updatedPlatform: '' });
});

const right: AnnouncementFields[] = [
  { timing: '0000', platform: '0', updatedTiming: '2359', updatedPlatform: '24D' },
  { destination: 'KNGX', callingAt: 'YRK,EDINBUR', via: 'PBO,YRK', notCallingAt: 'DAR', operator: 'GR' },
  { splitInfo: 'atCBG,splitKLN,4frontKLN,backELY' },
  { platformInfo: 'approaching', arrivalInfo: 'has_arrived', stopInfo: 'final', exitSide: 'left' },
  { currentlyAt: 'YRK,DAR', waitsHere: '12', liftStatus: '1broke,2work', escalatorStatus: 'allbroke' },
  { busReplacement: true, currentStation: 'YRK' },
  { operator: 'GR', operatorDelay: 'special', disruptionReason: '104' },
  { staticMessage: 'whatever the service knows', operatorDelay: 'minor' },
  { bgColour: '-1,-1,-1' },
  { bgColour: '0,127,255' },
];
for (const fields of right) {
  test(`${JSON.stringify(fields)} is an announcement`, () => {
    assert.doesNotThrow(() => announcementBody({ destination: 'EDB', ...fields }));
  });
}

const wrong: [fields: AnnouncementFields, named: string[]][] = [
  [{ destination: 'E!' }, ['destination']],
  [{ timing: '930' }, ['timing']],
  [{ timing: '2400', updatedTiming: '0960' }, ['timing', 'updatedTiming']],
  [{ platform: '25', updatedPlatform: '4E' }, ['platform', 'updatedPlatform']],
  [{ operator: 'GNER' }, ['operator']],
  [{ via: 'YRK, DAR' }, ['via']],
  [{ callingAt: 'YRK,' }, ['callingAt']],
  [{ notCallingAt: 'YORK' }, ['notCallingAt']],
  [{ splitInfo: 'beforeYRK' }, ['splitInfo']],
  [
    { platformInfo: 'soon', arrivalInfo: 'arrived', stopInfo: 'last' },
    ['platformInfo', 'arrivalInfo', 'stopInfo'],
  ],
  [{ currentlyAt: 'YRK,DAR,NCL' }, ['currentlyAt']],
  [{ waitsHere: 'five' }, ['waitsHere']],
  [{ exitSide: 'both' }, ['exitSide']],
  [{ liftStatus: 'broke', escalatorStatus: '1broke' }, ['liftStatus', 'escalatorStatus']],
  [{ bgColour: '256,0,0' }, ['bgColour']],
  [{ bgColour: '-1,-1,0' }, ['bgColour']],
  [{ currentStation: 'YRK' }, ['currentStation']],
  [{ operatorDelay: 'minor' }, ['operatorDelay']],
  [{ operatorDelay: 'bad', operator: 'GR' }, ['operatorDelay']],
];
for (const [fields, named] of wrong) {
  test(`${JSON.stringify(fields)} is refused by the name of ${named.join(' and ')}`, () => {
    let problems: string[] = [];
    assert.throws(
      () => announcementBody({ destination: 'EDB', ...fields }),
      ({ code, message }: SignError) => {
        problems = message.split('; ').map((problem) => problem.split(':')[0] ?? '');
        return code === 'invalid_request';
      },
    );
    assert.deepEqual(problems, named);
  });
}

test('a field that the document does not name is not sent', () => {
  const fields = { destination: 'EDB', apiKey: 'x' };
  assert.deepEqual(announcementBody(fields), { destination: 'EDB' });
});

test('the id of a submitted announcement is in `data`', () => {
  assert.equal(parseSubmitted({ data: { id: 'r-1' } }), 'r-1');
  for (const body of [null, {}, { id: 'r-1' }, { data: { id: '' } }, { data: { id: 7 } }]) {
    assert.equal(parseSubmitted(body), null);
  }
});

for (const name of ['downloadUrl', 'url', 'presigned_video']) {
  test(`a completed announcement names its video as ${name}, wrapped or not`, () => {
    const data = { status: 'COMPLETED', [name]: 'https://cdn.test/a.webm?sig=1' };
    const read = { status: 'COMPLETED', url: 'https://cdn.test/a.webm?sig=1', message: null };
    assert.deepEqual(parseAnnouncementStatus({ data }), read);
    assert.deepEqual(parseAnnouncementStatus(data), read);
  });
}

test('the only address of a completed announcement is its video, whatever its name', () => {
  const of = (data: object) => parseAnnouncementStatus({ data: { status: 'COMPLETED', ...data } })?.url;
  const url = 'https://cdn.test/6f1b?sig=1';
  assert.equal(of({ link: url }), url);
  assert.equal(of({ asset: { location: url, copy: url } }), url);
  assert.equal(of({ link: url, page: 'https://cdn.test/other' }), null);
  assert.equal(of({ poster: 'https://cdn.test/a.png?sig=1' }), null);
});

test('a failed announcement has a message', () => {
  assert.deepEqual(parseAnnouncementStatus({ data: { status: 'FAILED', errorLog: 'no clip' } }), {
    status: 'FAILED',
    url: null,
    message: 'no clip',
  });
});

test('an announcement has failed also when its errorLog is no text', () => {
  const read = { status: 'FAILED', url: null, message: null };
  for (const errorLog of [[7], { code: 7 }, null]) {
    assert.deepEqual(parseAnnouncementStatus({ data: { status: 'FAILED', errorLog } }), read);
  }
  const words = { status: 'FAILED', errorLog: ['no clip', 'no sign'] };
  assert.equal(parseAnnouncementStatus({ data: words })?.message, 'no clip; no sign');
});

test('an announcement in progress has no video', () => {
  assert.deepEqual(
    parseAnnouncementStatus({ data: { status: 'IN_PROGRESS', url: 'https://cdn.test/a.mp4' } }),
    {
      status: 'IN_PROGRESS',
      url: null,
      message: null,
    },
  );
});

test('a status that the document does not name is not final', () => {
  const read = { status: 'IN_PROGRESS', url: null, message: null };
  assert.deepEqual(parseAnnouncementStatus({ data: { status: 'QUEUED' } }), read);
  assert.deepEqual(parseAnnouncementStatus({ status: 'RENDERING' }), read);
});

for (const body of [null, {}, { data: {} }, { status: 1 }, 'COMPLETED']) {
  test(`${JSON.stringify(body)} is no status`, () => assert.equal(parseAnnouncementStatus(body), null));
}

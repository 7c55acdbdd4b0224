// What is sent for a train announcement, and what comes back (document 1).
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  announcementBody,
  parseAnnouncementStatus,
  parseSubmitted,
} from '../../src/protocol/announcement.ts';

test('fields go as they are and flags as the string "true"', () => {
  assert.deepEqual(
    announcementBody({ destination: 'EDB', timing: '', platform: '4A', cancelled: true, longDelay: false }),
    { destination: 'EDB', timing: '', platform: '4A', cancelled: 'true' },
  );
});

test('a split or a static message needs no destination', () => {
  assert.deepEqual(announcementBody({ splitInfo: 'atYRK' }), { splitInfo: 'atYRK', destination: 'KGX' });
  assert.equal(announcementBody({ staticMessage: 'SM1' }).destination, 'KGX');
  assert.equal(announcementBody({ staticMessage: 'SM1', destination: 'EDB' }).destination, 'EDB');
});

test('anything else needs one', () => {
  assert.throws(() => announcementBody({ timing: '0930' }), { code: 'invalid_request' });
});

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

test('one that failed says why', () => {
  assert.deepEqual(parseAnnouncementStatus({ data: { status: 'FAILED', errorLog: 'no clip' } }), {
    status: 'FAILED',
    url: null,
    message: 'no clip',
  });
});

test('one in progress has no video, whatever else it names', () => {
  assert.deepEqual(
    parseAnnouncementStatus({ data: { status: 'IN_PROGRESS', url: 'https://cdn.test/a.mp4' } }),
    {
      status: 'IN_PROGRESS',
      url: null,
      message: null,
    },
  );
});

for (const body of [null, {}, { data: {} }, { status: 'DONE' }, 'COMPLETED']) {
  test(`${JSON.stringify(body)} is no status`, () => assert.equal(parseAnnouncementStatus(body), null));
}

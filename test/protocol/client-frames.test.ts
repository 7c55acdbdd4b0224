// The frames that a client may send, exactly as in document 3, because the service refuses every field that it does not know.
import assert from 'node:assert/strict';
import test from 'node:test';
import { clientFrameSchemas } from '../../src/protocol/client-frames.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/websocket.ts';

const accepts = (frame: object): boolean =>
  Object.values(clientFrameSchemas).some((schema) => schema.safeParse(frame).success);

const start = {
  type: 'session.start',
  version: '3.0',
  mode: 'translate',
  config: { digital_signer: 'rae' },
} as const;

test('the version is 3.0', () => assert.equal(PROTOCOL_VERSION, '3.0'));

const good: object[] = [
  start,
  {
    ...start,
    mode: 'stream',
    config: { digital_signer: 'MAX', language: 'ASL', hls: { anything: 1 } },
  },
  {
    ...start,
    config: { digital_signer: 'RAE', output_format: 'mp4', resolution: '1080p', debug: true },
  },
  { type: 'text', id: 'a', data: 'Hello.' },
  { type: 'text', id: 'a', data: '' },
  { type: 'result.fetch', id: 'a' },
  { type: 'session.end' },
];

for (const frame of good) {
  test(`${JSON.stringify(frame)} may be sent`, () => assert.equal(accepts(frame), true));
}

const bad: object[] = [
  { ...start, version: '2.0' },
  { ...start, mode: 'dance' },
  { ...start, config: {} },
  { ...start, config: { digital_signer: '' } },
  { ...start, config: { digital_signer: 'RAE', language: 'bsl' } },
  { ...start, config: { digital_signer: 'RAE', resolution: '4k' } },
  { ...start, config: { digital_signer: 'RAE', colour: 'red' } },
  { ...start, session: 'old' },
  { type: 'text', id: '', data: 'Hello.' },
  { type: 'text', id: 'a' },
  { type: 'text', id: 'a', data: 'Hello.', lang: 'en' },
  { type: 'result.fetch' },
  { type: 'session.end', why: 'bored' },
];

for (const frame of bad) {
  test(`${JSON.stringify(frame)} may not be sent`, () => assert.equal(accepts(frame), false));
}

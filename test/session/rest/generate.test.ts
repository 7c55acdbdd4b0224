// The body of the translation request that an element sends (document 2).
import assert from 'node:assert/strict';
import test from 'node:test';
import { generateBody, type TextOptions } from '../../../src/session/rest/generate.ts';

const options: TextOptions = { mode: 'translate', config: { digital_signer: 'RAE' } };

test('translate mode requests an MP4 to download, and leaves the options that were not set to the service', () => {
  assert.deepEqual(generateBody('Hello.', options), {
    content: { type: 'text', data: 'Hello.' },
    output: { format: 'mp4', delivery: { method: 'download', config: { digitalSigner: 'RAE' } } },
    context: { application: 'sign-elements' },
  });
});

test('stream mode requests a low-latency HLS stream', () => {
  assert.deepEqual(generateBody('Hello.', { ...options, mode: 'stream' }).output, {
    format: 'hls',
    delivery: { method: 'stream', config: { digitalSigner: 'RAE', lowLatencyMode: true } },
  });
});

const configOf = (more: Partial<TextOptions>) =>
  generateBody('Hello.', { ...options, ...more }).output.delivery.config;

for (const [name, size] of [
  ['480p', '854x480'],
  ['720p', '1280x720'],
  ['1080p', '1920x1080'],
] as const) {
  test(`${name} is ${size}`, () =>
    assert.equal(configOf({ config: { digital_signer: 'RAE', resolution: name } })?.resolution, size));
}

test('signer and language are sent, the documented signers as the document spells them', () => {
  const config = configOf({ config: { digital_signer: 'jay', language: 'ASL' } });
  assert.deepEqual(config, { digitalSigner: 'JAY', language: 'ASL' });
  assert.equal(configOf({ config: { digital_signer: 'Our own' } })?.digitalSigner, 'Our own');
});

test('a background is sent when it is a colour', () => {
  assert.equal(configOf({ background: '#12aBef' })?.backgroundColor, '#12aBef');
  for (const background of ['transparent', 'red', '#fff', '', null, undefined]) {
    assert.equal(configOf({ background })?.backgroundColor, undefined);
  }
});

test('the page’s options are merged in', () => {
  const generateOptions = {
    content: { duration: 5 },
    output: { format: 'mov', delivery: { method: 'push', config: { codec: 'h265', digitalSigner: 'MAX' } } },
    context: { application: 'ours', location: 'Hall 1' },
    secret: true,
  };
  assert.deepEqual(generateBody('Hello.', { ...options, generateOptions }), {
    content: { duration: 5, type: 'text', data: 'Hello.' },
    output: {
      format: 'mp4',
      delivery: { method: 'download', config: { digitalSigner: 'MAX', codec: 'h265' } },
    },
    context: { application: 'ours', location: 'Hall 1' },
  });
});

test('the page’s options never change the text', () => {
  const generateOptions = { content: { type: 'audio', data: 'Another.' } };
  assert.deepEqual(generateBody('Hello.', { ...options, generateOptions }).content, {
    type: 'text',
    data: 'Hello.',
  });
});

for (const generateOptions of [
  null,
  undefined,
  {},
  { content: 7, output: [], context: 'x' },
  { output: { delivery: null } },
]) {
  test(`${JSON.stringify(generateOptions)} adds nothing`, () =>
    assert.deepEqual(
      generateBody('Hello.', { ...options, generateOptions }),
      generateBody('Hello.', options),
    ));
}

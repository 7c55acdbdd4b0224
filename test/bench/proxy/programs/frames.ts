// The messages of the bench: a text and its result have 120 bytes each, and only their ids differ.

export const START =
  '{"type":"session.start","version":"3.0","mode":"translate","config":{"digital_signer":"RAE"}}';

const LENGTH = 120;
const ID = '0123456789abcdef';
export const ID_LENGTH = ID.length;

const filled = (before: string, filler: string, after: string): string =>
  before + filler.repeat(LENGTH).slice(0, LENGTH - before.length - after.length) + after;

export const TEXT = filled(
  `{"type":"text","id":"${ID}","data":"`,
  'The train at platform 4 is delayed. ',
  '"}',
);
export const ID_AT = TEXT.indexOf(ID);

export const RESULT = filled(
  `{"type":"result","ref":"${ID}","duration_seconds":2.5,"url":"https://media.example/`,
  '0123456789',
  '.mp4"}',
);
export const REF_AT = RESULT.indexOf(ID);

// What hostile clients send on a socket, byte by byte: how each is closed, and what of it reaches the service.
import { deflateRawSync } from 'node:zlib';
import { BINARY, CLOSE, CONTINUATION, FIN, frame, PING, PONG, RSV1, TEXT } from '../../raw-frames.ts';

export const START =
  '{"type":"session.start","version":"3.0","mode":"translate","config":{"digital_signer":"RAE"}}';
export const text = (data: string): string => JSON.stringify({ type: 'text', id: '1', data });

interface Attack {
  readonly what: string;
  readonly send: readonly Buffer[];
  readonly closed: string;
  /** Frames that the service got. */
  readonly reached?: readonly string[];
}

const broken: readonly Attack[] = [
  { what: 'a frame without a mask', send: [frame(START, { masked: false })], closed: '1002' },
  {
    what: 'a deflate bomb, though nothing was negotiated',
    send: [frame(deflateRawSync(Buffer.alloc(50_000_000)).subarray(0, 60_000), { flags: FIN | RSV1 })],
    closed: '1002',
  },
  { what: 'the second reserved bit', send: [frame(START, { flags: FIN | 0x20 })], closed: '1002' },
  { what: 'the third reserved bit', send: [frame(START, { flags: FIN | 0x10 })], closed: '1002' },
  { what: 'an unknown opcode', send: [frame(START, { opcode: 3 })], closed: '1002' },
  { what: 'an unknown control opcode', send: [frame('', { opcode: 11 })], closed: '1002' },
  { what: 'a ping in pieces', send: [frame('a', { opcode: PING, flags: 0 })], closed: '1002' },
  { what: 'a ping of 126 bytes', send: [frame('a'.repeat(126), { opcode: PING })], closed: '1002' },
  { what: 'a continuation of nothing', send: [frame('a', { opcode: CONTINUATION })], closed: '1002' },
  {
    what: 'a text inside a text',
    send: [frame('{', { flags: 0 }), frame(START)],
    closed: '1002',
  },
  { what: 'a length of 2^63', send: [frame('', { length: 2n ** 63n })], closed: '1009' },
  { what: 'a length of 2^53', send: [frame('', { length: 2n ** 53n })], closed: '1009' },
  { what: 'a length of 64 kB and one', send: [frame('', { length: 65_537n })], closed: '1009' },
  {
    what: 'pieces that are over 64 kB together',
    send: [frame('a'.repeat(40_000), { flags: 0 }), frame('a'.repeat(40_000), { opcode: CONTINUATION })],
    closed: '1009',
  },
  { what: 'text that is no UTF-8', send: [frame(Buffer.from([0xc3, 0x28]))], closed: '1007' },
  { what: 'half a surrogate in UTF-8', send: [frame(Buffer.from([0xed, 0xa0, 0x80]))], closed: '1007' },
  { what: 'a close of one byte', send: [frame('a', { opcode: CLOSE })], closed: '1002' },
  {
    what: 'a close with a code that nobody may send',
    send: [frame(Buffer.from([0x03, 0xed]), { opcode: CLOSE })],
    closed: '1002',
  },
  {
    what: 'a close whose reason is no UTF-8',
    send: [frame(Buffer.from([0x03, 0xe8, 0xff]), { opcode: CLOSE })],
    closed: '1007',
  },
];

const versions: readonly Attack[] = [
  ['version 1.0', '{"type":"session.start","version":"1.0"}'],
  ['no version', '{"type":"session.start"}'],
  ['a version in other letters', '{"type":"session.start","VERSION":"3.0"}'],
  ['a version twice', '{"type":"session.start","version":"3.0","version":"1.0"}'],
  ['a second Version', '{"type":"session.start","version":"3.0","Version":"1.0"}'],
  ['a Type', '{"Type":"session.start","version":"1.0"}'],
  ['escapes', '{"type":"session\\u002estart","version":"1.0"}'],
  ['a byte order mark', '\uFEFF{"type":"session.start","version":"1.0"}'],
  [
    '64 kB of brackets',
    `{"type":"session.start","version":"3.0","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  ],
].map(([what = '', start = '']) => ({
  what: `a session.start with ${what}`,
  send: [frame(start)],
  closed: '1008 invalid_session_start',
}));

const CLOSING = frame('', { opcode: CLOSE });
const WHOLE = '"façade"';
/** Where the two bytes of its `ç` are split. */
const [FIRST_PART, REST] = [Buffer.from(WHOLE).subarray(0, 4), Buffer.from(WHOLE).subarray(4)];

const shapes: readonly Attack[] = [
  {
    what: 'a start byte by byte',
    send: [...frame(START), ...CLOSING].map((byte) => Buffer.of(byte)),
    closed: 'no code',
    reached: [START],
  },
  {
    what: 'a start with a length of eight bytes, where one would do',
    send: [Buffer.of(0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, START.length, 0, 0, 0, 0), Buffer.from(START), CLOSING],
    closed: 'no code',
    reached: [START],
  },
  {
    what: 'a text after a close, in one packet',
    send: [Buffer.concat([frame(START), CLOSING, frame(text('late'))])],
    closed: 'no code',
    reached: [START],
  },
  {
    what: 'a text after a wrong frame, in one packet and in the next',
    send: [
      Buffer.concat([frame(START), frame('', { opcode: 3 }), frame(text('late'))]),
      frame(text('later')),
    ],
    closed: '1002',
    reached: [START],
  },
  {
    what: 'a character that two fragments split, with a ping between them',
    send: [
      frame(START),
      Buffer.concat([
        frame(FIRST_PART, { flags: 0 }),
        frame('', { opcode: PING }),
        frame(REST, { opcode: CONTINUATION }),
        CLOSING,
      ]),
    ],
    closed: 'no code',
    reached: [START, WHOLE],
  },
  {
    what: 'bad UTF-8 that begins in one fragment and ends in the next',
    send: [frame(START), frame(FIRST_PART, { flags: 0 }), frame('a"', { opcode: CONTINUATION })],
    closed: '1007',
    reached: [START],
  },
];

const others: readonly Attack[] = [
  { what: 'a binary frame', send: [frame(START, { opcode: BINARY })], closed: '1008 invalid_message' },
  { what: 'an empty binary frame', send: [frame('', { opcode: BINARY })], closed: '1008 invalid_message' },
  {
    what: 'a session.start in four hundred pieces, with pings between them: it is one frame',
    send: [
      ...[...START].flatMap((char, n) => [
        frame(char, { opcode: n === 0 ? TEXT : CONTINUATION, flags: 0 }),
        frame('', { opcode: n % 2 ? PING : PONG }),
      ]),
      frame('', { opcode: CONTINUATION }),
      CLOSING,
    ],
    closed: 'no code',
    reached: [START],
  },
  {
    what: 'a session.start of V1 with another type after it: it is relayed with that type',
    send: [frame(START), frame('{"type":"session.start","version":"1.0","type":"x"}'), CLOSING],
    closed: 'no code',
    reached: [START, '{"type":"x","version":"1.0"}'],
  },
  {
    what: 'nonsense, an unknown type and an empty frame: the service has codes for them',
    send: [frame(START), ...['{', '{"type":"x"}', ''].map((sent) => frame(sent)), CLOSING],
    closed: 'no code',
    reached: [START, '{', '{"type":"x"}', ''],
  },
  {
    what: 'a text with __proto__: it goes on as it came',
    send: [frame(START), frame('{"type":"text","__proto__":{"a":1}}'), CLOSING],
    closed: 'no code',
    reached: [START, '{"type":"text","__proto__":{"a":1}}'],
  },
];

export const socketAttacks: readonly Attack[] = [...broken, ...versions, ...shapes, ...others];

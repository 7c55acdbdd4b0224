// WebSockets of an attacker: an upgrade, then frames, byte by byte.
import { BINARY, CLOSE, CONTINUATION, FIN, frame, PING, PONG, TEXT } from '../raw-frames.ts';
import { mutated, type Random } from './random.ts';

const START = '{"type":"session.start","version":"3.0","mode":"translate","config":{"digital_signer":"RAE"}}';
const MESSAGES = [
  START,
  '{"type":"text","id":"1","data":"The train is late."}',
  '{"type":"result.fetch","id":"1"}',
  '{"type":"session.end"}',
  '{"type":"session.start","version":"1.0"}',
  '{"type":"session\\u002estart","Version":"2.0"}',
  '{"type":"text","id":1e999,"data":"\\ud800"}',
  '{"type":{"toString":1},"id":{"toJSON":1},"data":"a"}',
  '{"type":"session.start","version":"3.0","mode":{"toString":1},"config":{"digital_signer":{"toString":1}}}',
  '{"__proto__":{"type":"session.start"}}',
  '\uFEFF{}',
  'null',
  '',
] as const;

function payload(random: Random): Buffer {
  const text = Buffer.from(random.pick(MESSAGES));
  switch (random.below(8)) {
    case 0:
      return mutated(random, text);
    case 1:
      return Buffer.from(`${random.pick(['[', '{"a":', '"\\'])}`.repeat(random.below(9_000)));
    case 2:
      return random.bytes(random.below(200));
    default:
      return text;
  }
}

/** The frames of a session. Most are whole text frames, so that the session goes on; each of the others breaks a rule. */
function frames(random: Random): Buffer {
  const data = payload(random);
  switch (random.below(14)) {
    case 0:
      return Buffer.concat([
        frame(data.subarray(0, data.length >> 1), { flags: 0 }),
        ...random.some(3, () =>
          frame(random.bytes(random.below(126)), { opcode: random.pick([PING, PONG]) }),
        ),
        frame(data.subarray(data.length >> 1), { opcode: CONTINUATION, flags: random.pick([FIN, FIN, 0]) }),
      ]);
    case 1:
      return Buffer.concat(random.some(90, () => frame('', { opcode: PING })));
    case 2:
      return frame(data, { opcode: random.pick([BINARY, CONTINUATION, 3, 7, 11, 15]) });
    case 3:
      return frame(data, { flags: random.below(16) << 4 });
    case 4:
      return frame(data, { masked: false });
    case 5:
      return frame(data, {
        length: random.pick([1n, 126n, 65_535n, 65_536n, 2n ** 31n, 2n ** 63n, 2n ** 64n - 1n]),
      });
    case 6:
      return frame(random.bytes(random.below(130)), { opcode: CLOSE });
    case 7:
      return mutated(random, frame(data));
    default:
      return frame(data);
  }
}

/** An upgrade and what is sent on it, in the pieces in which they are sent. `mark` is its X-Request-Id. */
export function hostileSocket(random: Random, mark: string): readonly Buffer[] {
  const lines = [
    'GET /sign/ws/ HTTP/1.1',
    'Host: proxy.example',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `X-Request-Id: ${mark}`,
    ...random.some(1, () => 'Sec-WebSocket-Extensions: permessage-deflate'),
    ...random.some(1, () => 'Sec-WebSocket-Protocol: chat'),
  ];
  const upgrade = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  const said = [
    random.chance(0.1) ? mutated(random, upgrade) : upgrade,
    ...(random.chance(0.8) ? [frame(START, { opcode: TEXT })] : []),
    ...random.some(6, () => frames(random)),
  ];
  return random.chance(0.5) ? said : [Buffer.concat(said)];
}

// Frames that a client and a service send to a relay, split into reads at random places. One relay reads plain frames itself
// (frame-reader.ts), the other leaves every frame to `ws`: both must pass on the same bytes, count the same and end in the same
// way.
import { isDeepStrictEqual } from 'node:util';
import { BINARY, CLOSE, CONTINUATION, FIN, frame, PING, PONG, TEXT, type FrameInit } from '../raw-frames.ts';
import { mutated, randomOf, type Random } from './random.ts';
import { spelledSecret } from './secrets.ts';
import { wireRelay, type WireRelay } from './wire.ts';

/** Frames of one case. */
export const FRAMES_OF_CASE = 60;
const STEPS = 6;
const START = '{"type":"session.start","version":"3.0","mode":"translate","config":{"digital_signer":"RAE"}}';

const id = (random: Random): string => `a${random.below(12)}`;
const words = (random: Random): string =>
  random
    .pick([
      'late',
      'Zug',
      'façade',
      '列車',
      '😀',
      'a b  c',
      '\u00a0',
      '\\"',
      '\\u0041',
      '\\ud83d',
      'Á\u0002{}',
    ])
    .repeat(random.below(9));

const MESSAGES: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
  (random) => `{"type":"text","id":"${id(random)}","data":"${words(random)}"}`,
  (random) => `{"type":"text","id":"${id(random)}","data":"${words(random)}"}`,
  (random) => `{"id":${random.below(3)},"data":"${words(random)}","type":"text","data":"twice"}`,
  (random) => `{ "type" : "text" , "id" : "${id(random)}" , "data" : "${words(random)}" }`,
  (random) =>
    `{"type":"result","ref":"${id(random)}","duration_seconds":${random.below(9)}.5,"url":"${spelledSecret(random)}"}`,
  (random) => `{"type":"result","ref":"${id(random)}","duration_seconds":${random.below(9)}}`,
  (random) =>
    mutated(
      random,
      Buffer.from(
        `{"type":"result","ref":"${id(random)}","pipeline_ms":{"gloss":${random.below(9)}},"duration_seconds":1.25}`,
      ),
    ).toString('latin1'),
  (random) => `{"type":"error","ref":"${id(random)}","code":"x"}`,
  (random) => `{"type":"text.ack","ref":"${id(random)}"}`,
  () => '{"type":"session.summary","usage":{"total_video_duration_sec":40}}',
  () => START,
  (random) => `{"type":"text","data":"${'x'.repeat(random.pick([60, 100, 9_000, 20_001, 65_000]))}"}`,
  (random) =>
    mutated(random, Buffer.from(`{"type":"text","id":"b","data":"${words(random)}"}`)).toString('latin1'),
  (random) => spelledSecret(random),
  () => '',
];

const HIGH_BIT = 0x80;
const flipped = (byte: number): number => byte ^ HIGH_BIT;

/** A short frame whose length takes two bytes more than it needs (RFC 6455, 5.2 forbids it, `ws` reads it). */
const longHead = (short: Buffer): Buffer => {
  const [first = 0, second = 0] = short;
  return Buffer.concat([
    Buffer.from([first, (second & HIGH_BIT) | 126, 0, second & 0x7f]),
    short.subarray(2),
  ]);
};

/** The bytes of one message, mostly one whole frame. `breaks` is the chance of a frame that `ws` refuses. */
function message(random: Random, masked: boolean, breaks: number): Buffer {
  const made = (payload: string | Buffer, init: FrameInit = {}): Buffer =>
    frame(payload, { masked, ...(random.chance(0.9) ? { mask: random.bytes(4) } : {}), ...init });
  const text = Buffer.from(random.pick(MESSAGES)(random));
  if (random.chance(breaks)) {
    return random.pick([
      () => made(random.bytes(20)),
      () => made(text, { opcode: random.pick([BINARY, CONTINUATION, 3, 11]) }),
      () => made(text, { flags: random.below(16) << 4 }),
      () => made(text, { masked: !masked }),
      () => made('x'.repeat(126), { opcode: PING }),
      // Invalid UTF-8 that would be valid if it were not unmasked, and the reverse.
      () => made(Buffer.from(text.map(flipped)), { mask: Buffer.alloc(4, HIGH_BIT) }),
      () => made(text, { mask: Buffer.alloc(4, HIGH_BIT) }),
      () => longHead(made(text.subarray(0, 125))),
      () => made('x'.repeat(66_000)),
      () => made(Buffer.concat([Buffer.from([3, 0xe8]), Buffer.from('bye')]), { opcode: CLOSE }),
      () => mutated(random, made(text)),
    ])();
  }
  switch (random.below(12)) {
    case 0:
      return made(random.bytes(random.below(126)), { opcode: random.pick([PING, PONG]) });
    case 1: {
      const at = random.below(text.length + 1);
      return Buffer.concat([
        made(text.subarray(0, at), { flags: 0 }),
        ...random.some(1, () => made('p', { opcode: PING })),
        made(text.subarray(at), { opcode: CONTINUATION, flags: FIN }),
      ]);
    }
    default:
      return made(text);
  }
}

/** `bytes` in the reads in which they arrive; some begin where a frame seems to begin. */
function reads(random: Random, bytes: Buffer): Buffer[] {
  if (random.chance(0.4)) return [bytes];
  const cuts = random.some(4, () => {
    const at = random.below(bytes.length + 1);
    return random.chance(0.5) ? at : bytes.indexOf(FIN | TEXT, at);
  });
  cuts.sort((a, b) => a - b);
  return [0, ...cuts]
    .map((from, n) => bytes.subarray(Math.max(0, from), cuts[n] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

/** Null when both relays do the same in this case; else what each of them does. */
export async function compareRelays(seed: number, number: number): Promise<readonly unknown[] | null> {
  const outcomes: unknown[] = [];
  for (const isPlain of [true, false]) {
    const random = randomOf(seed, number);
    const rates = randomOf(number);
    const isShared = random.chance(0.2);
    const rate = (): number | Promise<number> => {
      const seconds = rates.chance(0.02) ? 3 : 0;
      return isShared && rates.chance(0.5) ? Promise.resolve(seconds) : seconds;
    };
    const relay = await wireRelay(rate, isPlain);
    await play(random, relay);
    outcomes.push(relay.outcome());
    relay.end();
  }
  return isDeepStrictEqual(outcomes[0], outcomes[1]) ? null : outcomes;
}

async function play(random: Random, relay: WireRelay): Promise<void> {
  const breaks = random.pick([0, 0, 0.01, 0.1]);
  if (random.chance(0.95)) await relay.fromClient(frame(START));
  for (let step = 0; step < STEPS; step += 1) {
    const isClient = random.chance(0.5);
    const messages = Array.from({ length: FRAMES_OF_CASE / STEPS }, () => message(random, isClient, breaks));
    for (const read of reads(random, Buffer.concat(messages))) {
      await (isClient ? relay.fromClient(read) : relay.fromService(read));
    }
  }
}

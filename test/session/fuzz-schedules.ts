// The random schedules of the session fuzz.
// - `anything`: every fault of the model may happen.
// - `gentle`: only faults that must not lose a text: few drops, a frozen socket, a slow or forgetful service, offline, sleep.
import fc from 'fast-check';
import { serviceErrors } from '../../src/protocol/service-errors.ts';
import type { Reaction } from './fuzz-service.ts';
import type { SocketFaults } from './fuzz-socket.ts';

export type Step =
  | { readonly do: 'sign'; readonly words: number }
  | { readonly do: 'abort' | 'play' | 'renew'; readonly which: number }
  | { readonly do: 'wait' | 'sleep'; readonly ms: number }
  | { readonly do: 'drop'; readonly code: number }
  | { readonly do: 'say'; readonly code: string; readonly severity: string; readonly hint: number | null }
  | { readonly do: 'gateway' | 'down' | 'http-down'; readonly drains: boolean }
  | { readonly do: 'clear' | 'up' | 'freeze' | 'vanish' | 'online' | 'offline' | 'connect' | 'end' };

export interface Schedule {
  readonly transport: 'v3' | 'auto' | 'rest';
  readonly mode: 'translate' | 'stream';
  /** 0 for no limit. */
  readonly maxUnplayed: number;
  /** Seed of the jitter. */
  readonly random: number;
  readonly socketFaults: readonly SocketFaults[];
  readonly reactions: readonly Reaction[];
  readonly steps: readonly Step[];
}

const of = fc.constantFrom;
const which = fc.nat(30);
const hint = fc.option(fc.integer({ min: 0, max: 40_000 }).map((ms) => ms / 1000));
const limits = fc.record({
  max_text_length: fc.integer({ min: 8, max: 60 }),
  max_messages_per_minute: fc.integer({ min: 1, max: 60 }),
  max_inflight: fc.integer({ min: 1, max: 4 }),
});
const lag = fc.oneof(of(0, 10), fc.integer({ min: 0, max: 3_000 }));
const pause = fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 70_000 }));

const sign: fc.Arbitrary<Step> = fc.record({
  do: of('sign' as const),
  words: fc.integer({ min: 1, max: 9 }),
});
const wait: fc.Arbitrary<Step> = fc.record({ do: of('wait' as const), ms: pause });
const sleep: fc.Arbitrary<Step> = fc.record({
  do: of('sleep' as const),
  ms: fc.integer({ min: 0, max: 200_000 }),
});
const drop: fc.Arbitrary<Step> = fc.record({
  do: of('drop' as const),
  code: of(1000, 1006, 1011, 1012, 1013),
});
const pick: fc.Arbitrary<Step> = fc.record({
  do: of('abort' as const, 'play' as const, 'renew' as const),
  which,
});
const play: fc.Arbitrary<Step> = fc.record({ do: of('play' as const, 'renew' as const), which });
const say: fc.Arbitrary<Step> = fc.record({
  do: of('say' as const),
  code: of(...Object.keys(serviceErrors)),
  severity: of('message', 'warning', 'session'),
  hint,
});
type Plain = 'up' | 'clear' | 'freeze' | 'vanish' | 'online' | 'offline' | 'connect' | 'end';
const plain = (...names: Plain[]): fc.Arbitrary<Step> => fc.record({ do: of(...names) });

const reaction = (kinds: readonly Reaction['kind'][], codes: readonly string[]): fc.Arbitrary<Reaction> =>
  fc.record({
    kind: of(...kinds),
    ackMs: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 15_000 })),
    resultMs: fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 90_000 })),
    code: of(...codes),
    hint,
    severity: fc.option(of('message', 'warning', 'session'), { freq: 2 }),
    retryable: fc.option(fc.boolean(), { freq: 2 }),
    status: of(429, 500, 502, 503),
    refused: fc.boolean(),
    isJob: fc.boolean(),
  });

const socketFaultsOf = (opens: readonly SocketFaults['opens'][]): fc.Arbitrary<SocketFaults> =>
  fc.record({ opens: of(...opens), lag, limits });

const outage = (drains: fc.Arbitrary<boolean>): fc.Arbitrary<Step> =>
  fc.record({ do: of('gateway' as const, 'down' as const, 'http-down' as const), drains });

const session = {
  transport: of('v3' as const, 'auto' as const, 'auto' as const, 'rest' as const),
  mode: of('translate' as const, 'translate' as const, 'stream' as const),
  maxUnplayed: of(0, 1, 3, 8),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
};

const often = <Value>(value: Value, times: number): Value[] => Array.from({ length: times }, () => value);

export const anything: fc.Arbitrary<Schedule> = fc.record({
  ...session,
  socketFaults: fc.array(
    socketFaultsOf([...often('ready' as const, 4), 'unreachable', 'closed', 'mute', 'error']),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
  reactions: fc.array(
    reaction(
      [
        ...often('result' as const, 6),
        'twice',
        'error',
        'deaf',
        'silent',
        'unacknowledged',
        'malformed',
        'dropped',
        'acknowledged-late',
        'error-and-result',
        'result-and-error',
      ],
      [...Object.keys(serviceErrors), 'from_a_later_version'],
    ),
    { minLength: 1, maxLength: 8 },
  ),
  steps: fc.array(
    fc.oneof(
      { arbitrary: sign, weight: 8 },
      { arbitrary: wait, weight: 8 },
      { arbitrary: pick, weight: 4 },
      { arbitrary: drop, weight: 2 },
      { arbitrary: sleep, weight: 1 },
      { arbitrary: say, weight: 1 },
      { arbitrary: outage(fc.boolean()), weight: 1 },
      {
        arbitrary: plain('up', 'up', 'clear', 'freeze', 'vanish', 'online', 'offline', 'connect', 'end'),
        weight: 3,
      },
    ),
    { minLength: 1, maxLength: 30 },
  ),
});

/** Losses that a text must survive: fewer than eight, of which at most two count as failed tries of the text. */
const MOST_LOSSES = 5;
const MOST_SILENCES = 2;

export const gentle: fc.Arbitrary<Schedule> = fc
  .record({
    ...session,
    socketFaults: fc.array(socketFaultsOf(['ready']), { minLength: 1, maxLength: 4 }),
    reactions: fc.array(
      reaction(['result', 'result', 'twice', 'unacknowledged', 'acknowledged-late'], ['']),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
    steps: fc.array(
      fc.oneof(
        { arbitrary: sign, weight: 6 },
        { arbitrary: wait, weight: 6 },
        { arbitrary: play, weight: 2 },
        { arbitrary: drop, weight: 2 },
        { arbitrary: plain('up', 'freeze', 'vanish', 'online', 'offline', 'connect'), weight: 2 },
        { arbitrary: outage(of(true)), weight: 1 },
        { arbitrary: sleep, weight: 1 },
      ),
      { minLength: 1, maxLength: 30 },
    ),
  })
  .map((schedule) => ({ ...schedule, ...softened(schedule) }));

/** Slow, but never so slow that a text fails: three tries without an answer are `no_answer`. */
function softened({ mode, socketFaults, reactions, steps }: Schedule): Partial<Schedule> {
  let losses = 0;
  let silences = 0;
  // A text must fail when the limit becomes smaller in the middle of it.
  const max_text_length = socketFaults[0]?.limits.max_text_length ?? 8;
  return {
    socketFaults: socketFaults.map((each) => ({ ...each, limits: { ...each.limits, max_text_length } })),
    reactions: reactions.map((each) => ({
      ...each,
      // In a stream the acknowledgement is the only answer.
      kind: mode === 'stream' ? ('result' as const) : each.kind,
      ackMs: Math.min(each.ackMs, 3_000),
      resultMs: Math.min(each.resultMs, each.kind.includes('acknowledged') ? 500 : 50_000),
    })),
    steps: withBriefOutages(steps).filter((step) => {
      if (step.do === 'drop' || step.do === 'vanish' || step.do === 'offline' || isOutage(step))
        return (losses += 1) <= MOST_LOSSES;
      if (step.do === 'freeze') return (silences += 1) <= MOST_SILENCES;
      return true;
    }),
  };
}

const isOutage = (step: Step): boolean =>
  step.do === 'down' || step.do === 'gateway' || step.do === 'http-down';

/** A proxy that does not answer for more than 40 s may lose the waiting texts. */
const LONGEST_OUTAGE_MS = 40_000;
/** The longest wait between two tries. A proxy that is back for less may be away again at the next try: one long outage. */
const SHORTEST_UP_MS = 30_000;

function withBriefOutages(steps: readonly Step[]): Step[] {
  let isUp = true;
  let upMs = SHORTEST_UP_MS;
  /** Since the outage began. */
  let awayMs = 0;
  // A machine that sleeps during an outage uses up its minute, and then learns of a refusal too late to count it as quick.
  const hasOutage = steps.some(isOutage);
  const awake = steps.map((step): Step => {
    return hasOutage && step.do === 'sleep' ? { do: 'wait', ms: step.ms } : step;
  });
  return awake.flatMap((step): Step[] => {
    const ms = step.do === 'wait' || step.do === 'sleep' ? step.ms : 0;
    const isLong = awayMs + ms > LONGEST_OUTAGE_MS;
    if (isOutage(step)) {
      if (isLong) return [];
      isUp = false;
    }
    const mustBeUp = !isUp && isLong;
    if (step.do === 'up' || mustBeUp) {
      upMs = isUp ? upMs : 0;
      isUp = true;
    }
    if (isUp) upMs += ms;
    awayMs = upMs >= SHORTEST_UP_MS && isUp ? 0 : awayMs + ms;
    return mustBeUp ? [{ do: 'up' }, step] : [step];
  });
}

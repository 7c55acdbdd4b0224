// A session with `transport="auto"` under random schedules: sockets open, are refused and break; REST answers and fails; texts
// are aborted.
// - Each text is signed once or fails with its reason; nothing is left after end().
// - REST requests are made in call order. A text that was acknowledged may come later, because its result is first fetched over
//   V3.
// - A failure prints the seed that repeats it.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RestTransport } from '../../../src/session/transports/rest-transport.ts';
import { SignError } from '../../../src/protocol/sign-error.ts';
import { AutoHarness } from './auto-harness.ts';
import type { Asked } from '../fake-proxy.ts';
import { promisesSettled } from '../../promises-settled.ts';

const SCHEDULES = 400;
/**
 * Rounds of a second without a fault in which everything must settle. After eight lost sessions V3 is asked again after a
 * minute or more, and a text that V3 acknowledged waits for it up to 5 minutes; then REST signs it.
 */
const ROUNDS = 310;

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('sign' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), which: fc.nat(9) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('ready' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('drop' as const, 'refuse' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('ack' as const, 'result' as const), which: fc.nat(9) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('video' as const, 'fail' as const), which: fc.nat(9) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.constantFrom(0, 300, 4000, 10_000, 31_000),
      }),
    },
  ),
  { maxLength: 40 },
);
type Step = typeof steps extends fc.Arbitrary<(infer Each)[]> ? Each : never;

/** One run of a schedule. */
class Run {
  readonly harness = new AutoHarness({ loadRest: () => Promise.resolve(RestTransport) });
  /** Texts that a socket has acknowledged. */
  readonly acknowledged = new Set<string>();
  readonly texts: { ref: string; stop: AbortController; ends: string[] }[] = [];
  /** Requests that were answered. */
  readonly #answered = new Set<Asked>();
  readonly #ready = new Set<object>();

  sign(): void {
    const stop = new AbortController();
    const ends: string[] = [];
    const { ref, result } = this.harness.session.sign(`Text ${this.texts.length}.`, { signal: stop.signal });
    this.texts.push({ ref, stop, ends });
    result.then(
      () => ends.push('signed'),
      (error: unknown) => {
        ends.push(
          error instanceof SignError || (error as Error).name === 'AbortError' ? 'refused' : String(error),
        );
      },
    );
    this.harness.session.on('sign-result', ({ ref: of }) => of === ref && this.harness.session.played(ref));
  }

  /** Requests that are pending. */
  get #open(): Asked[] {
    return this.harness.proxy.asked.filter((asked) => !asked.signal.aborted && !this.#answered.has(asked));
  }

  get #socket() {
    const socket = this.harness.sockets.at(-1);
    return socket && !socket.closed ? socket : null;
  }

  ready(): void {
    const socket = this.#socket;
    if (!socket || this.#ready.has(socket)) return;
    this.#ready.add(socket);
    socket.open();
    socket.ready();
  }

  async answer(which: number, isGood: boolean): Promise<void> {
    const asked = this.#open.at(which % Math.max(1, this.#open.length));
    if (!asked) return;
    this.#answered.add(asked);
    // The request that asks why the socket was refused: this proxy gives no reason.
    if (asked.path === 'ws/') return asked.answer({}, 426, { 'content-type': 'application/problem+json' });
    await (isGood ? asked.video() : asked.answer({ error: 'internal_error' }, which % 2 ? 500 : 400));
  }

  say(what: 'ack' | 'result', which: number): void {
    const socket = this.#socket;
    if (!socket || !this.#ready.has(socket)) return;
    const asked = socket.asked.at(which % Math.max(1, socket.asked.length));
    if (!asked) return;
    if (what === 'ack') this.acknowledged.add(String(asked.data));
    socket[what](asked.id);
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'sign') this.sign();
    if (step.do === 'abort') this.texts[step.which % Math.max(1, this.texts.length)]?.stop.abort();
    if (step.do === 'ready') this.ready();
    if (step.do === 'drop') this.#socket?.drop();
    if (step.do === 'refuse') this.#socket?.drop(1011);
    if (step.do === 'ack' || step.do === 'result') this.say(step.do, step.which);
    if (step.do === 'video' || step.do === 'fail') await this.answer(step.which, step.do === 'video');
    if (step.do === 'wait') await this.harness.clock.advance(step.ms);
    await promisesSettled();
  }

  /** From now on each request is answered at once. */
  async settle(): Promise<void> {
    for (let round = 0; round < ROUNDS && this.texts.some(({ ends }) => ends.length === 0); round += 1) {
      this.ready();
      await promisesSettled();
      const asked = this.#socket?.asked.length ?? 0;
      for (let which = 0; which < asked; which += 1) this.say('result', which);
      for (let left = this.#open.length; left > 0; left -= 1) await this.answer(0, true);
      await this.harness.clock.advance(1_000);
    }
  }
}

test(`in ${SCHEDULES} random schedules each text ends once, in order, and nothing is left`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (schedule) => {
      const run = new Run();
      for (const step of schedule) await run.take(step);
      await run.settle();
      const { harness, texts } = run;
      const results = harness.details('sign-result').map(({ ref }) => ref);
      for (const { ref, stop, ends } of texts) {
        assert.equal(ends.length, 1, 'a text ends once');
        assert.match(ends[0] ?? '', /^(signed|refused)$/, 'with its reason');
        const times = results.filter((each) => each === ref).length;
        assert.ok(times <= 1, 'it has one result');
        if (ends[0] === 'signed') assert.equal(times, 1, 'a text that is signed has its result');
        if (ends[0] === 'refused' && !stop.signal.aborted) {
          const errors = harness
            .details('sign-error')
            .filter((detail) => detail.ref === ref && detail.error.severity === 'message');
          assert.equal(errors.length, 1, 'a text that is refused says so once');
        }
      }
      const accepted = harness.details('sign-accepted').map(({ ref }) => ref);
      assert.equal(new Set(accepted).size, accepted.length, 'a text is accepted once');
      const firsts = [...new Set(harness.byRest)]
        .filter((text) => !run.acknowledged.has(text))
        .map((text) => Number(/\d+/.exec(text)?.[0]));
      assert.deepEqual(
        firsts,
        firsts.toSorted((a, b) => a - b),
        'REST is asked in call order',
      );
      void harness.session.end();
      await harness.clock.advance(5_000);
      harness.assertNothingLeft();
    }),
    { numRuns: SCHEDULES },
  );
});

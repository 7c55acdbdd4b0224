// Random schedules: texts, aborts, losses, errors, delays, silence, sleep, offline, gateways and restarts in any
// order, over each transport, against the service of fuzz-service.ts. `run` plays one and returns what did not hold
// (fuzz-rules.ts). At its end every schedule has a time without faults: the service works, and everything that still waits must
// settle.
import { findManifests } from '../../src/protocol/find-url.ts';
import type { SessionEventMap } from '../../src/session/session-types.ts';
import { ServiceSession } from '../../src/session/service-session.ts';
import { RestTransport } from '../../src/session/transports/rest-transport.ts';
import { transitions } from '../../src/session/transports/transport-connection.ts';
import { FakeNetwork } from './fake-network.ts';
import type { Schedule, Step } from './fuzz-schedules.ts';
import { FuzzProxy } from './fuzz-proxy.ts';
import { FuzzService } from './fuzz-service.ts';
import { FuzzSocket } from './fuzz-socket.ts';
import { brokenByOrder, brokenByTexts } from './fuzz-rules.ts';
import { newSigned, type Signed } from './fuzz-signed.ts';
import { promisesSettled } from '../promises-settled.ts';
import { ManualClock } from './manual-clock.ts';
import { placeOf, textOf } from './fuzz-texts.ts';
import { TimerCount } from './timer-count.ts';

const PEACE_MS = 86_400_000; // A day: more than the slowest pace that a schedule can ask for needs.

export class FuzzRun {
  readonly #schedule: Schedule;
  readonly #clock = new ManualClock();
  readonly #timers = new TimerCount(this.#clock);
  readonly #network = new FakeNetwork();
  readonly #service: FuzzService;
  readonly #proxy: FuzzProxy;
  readonly #session: ServiceSession;
  readonly #signed: Signed[] = [];
  readonly #failures: unknown[] = [];
  readonly #wrong: string[] = [];
  #state = 'idle';

  constructor(schedule: Schedule) {
    const { mode, transport, maxUnplayed, random, reactions, socketFaults } = schedule;
    const service = new FuzzService(this.#clock, reactions, socketFaults);
    this.#schedule = schedule;
    this.#service = service;
    const proxy = (this.#proxy = new FuzzProxy(service, reactions, mode));
    service.reachable = () => proxy.takesSockets;
    this.#session = new ServiceSession({
      transport,
      rest: { proxy: 'https://page.example/sign' },
      loadRest: () => Promise.resolve(RestTransport),
      url: 'wss://page.example/sign/ws/',
      config: { digital_signer: 'RAE' },
      mode,
      maxUnplayed: maxUnplayed || undefined,
      clock: this.#timers,
      network: this.#network,
      random: () => random,
      fetch: proxy.fetch,
      findManifests,
      webSocket: class extends FuzzSocket {
        constructor() {
          super(service);
        }
      },
    });
    this.#listen();
  }

  /** What did not hold, empty when all did; and the texts that were not signed, for whatever reason. */
  async run(): Promise<{ wrong: string[]; unsigned: string[] }> {
    for (const step of this.#schedule.steps) {
      await this.#take(step);
      await promisesSettled();
    }
    await this.#peace();
    const ran = {
      schedule: this.#schedule,
      service: this.#service,
      proxy: this.#proxy,
      signed: this.#signed,
      failures: this.#failures,
    };
    this.#wrong.push(...brokenByTexts(ran), ...brokenByOrder(ran));
    await this.#checkEnd();
    const unsigned = this.#signed.filter(({ outcome }) => outcome !== 'resolved');
    return {
      wrong: [...this.#service.broken, ...this.#wrong],
      unsigned: unsigned.map(({ text, reason }) => `${text}: ${String(reason)}`),
    };
  }

  #listen(): void {
    const session = this.#session;
    const of = (ref: string) => this.#signed.find(({ call }) => call.ref === ref);
    session.on('sign-statechange', ({ state }) => {
      const next = Object.values(transitions[this.#state as keyof typeof transitions]);
      // While the browser is offline a session that is ready reports `reconnecting`.
      const nextOfReady = this.#state === 'reconnecting' ? Object.values(transitions.ready) : [];
      const isStep = [...next, ...nextOfReady].includes(state);
      const isTabled = isStep || this.#schedule.transport !== 'v3';
      if (!isTabled || session.state !== state) this.#wrong.push(`state ${this.#state} to ${state}`);
      this.#state = state;
      // `retry_after_seconds` holds for a session that goes on; one that has ended and begins again does not wait.
      if (state === 'failed' || state === 'ended') this.#service.begunAnew();
    });
    session.on('sign-accepted', ({ ref }) => {
      const signed = of(ref);
      if (signed) signed.accepted += 1;
    });
    session.on('sign-result', (result) => {
      const signed = of(result.ref);
      if (signed?.accepted !== 1 && !result.partIndex) this.#wrong.push('a result before its acceptance');
      signed?.results.push(result);
    });
    session.on('sign-error', ({ error, ref }: SessionEventMap['sign-error']) => {
      if (error.severity === 'warning') return;
      if (ref === undefined) this.#failures.push(error);
      else of(ref)?.errors.push(error);
    });
  }

  async #take(step: Step): Promise<void> {
    const { socket } = this.#service;
    switch (step.do) {
      case 'sign':
        return this.#sign(step.words);
      case 'abort':
        return this.#pick(step.which)?.stop.abort();
      case 'play':
        return this.#play(this.#pick(step.which));
      case 'renew':
        return void this.#renew(this.#pick(step.which));
      case 'wait':
        return this.#clock.advance(step.ms);
      case 'sleep':
        return this.#clock.sleep(step.ms);
      case 'drop':
        return socket?.drop(step.code);
      case 'say': {
        const { code, severity, hint } = step;
        return socket?.say({ type: 'error', ref: '', code, severity, retry_after_seconds: hint });
      }
      case 'freeze':
        return socket?.freeze();
      case 'vanish':
        return socket?.vanish();
      case 'online':
      case 'offline':
        return this.#goes(step.do);
      case 'gateway':
      case 'down':
      case 'http-down':
        return this.#proxy.becomes(step.do, step.drains);
      case 'up':
        return void (this.#proxy.state = 'up');
      case 'connect':
        return void this.#session.connect();
      case 'clear':
        return this.#session.clear();
      case 'end':
        return void this.#session.end();
    }
  }

  #goes(to: 'online' | 'offline'): void {
    const isOffline = to === 'offline';
    // The session knows it only once it listens to the network; before that it may try once.
    this.#service.offline = isOffline && this.#network.listeners > 0;
    this.#network.go(to);
    if (this.#schedule.transport === 'v3') return;
    this.#proxy.cutOff(isOffline);
  }

  readonly #pick = (which: number) => this.#signed[which % Math.max(1, this.#signed.length)];

  #sign(words: number): void {
    const number = this.#signed.length;
    const text = textOf(number, words);
    const stop = new AbortController();
    const mayUseRest = !this.#service.sockets.some(({ isReady, readyState }) => isReady && readyState === 1);
    const call = this.#session.sign(text, { signal: stop.signal });
    const signed = newSigned({ text, call, stop, mayUseRest });
    this.#signed.push(signed);
    call.result.then(
      (reason) => Object.assign(signed, { outcome: 'resolved', reason }),
      (reason: unknown) => Object.assign(signed, { outcome: 'rejected', reason }),
    );
  }

  #play(signed: Signed | undefined): void {
    if (!signed) return;
    if (this.#schedule.mode === 'stream') this.#start(signed);
    for (const { partIndex } of signed.results) this.#session.played(signed.call.ref, partIndex);
  }

  /** A text starts on screen only while its stream plays. */
  #start(signed: Signed): void {
    const { texts, socket } = this.#service;
    const number = this.#signed.indexOf(signed);
    const isHere = texts.some((text) => text.socket === socket && placeOf(text.data)[0] === number);
    const startedOn = this.#proxy.streamed.has(number) ? 'rest' : isHere ? socket : null;
    if (signed.startedOn || signed.outcome !== 'resolved' || !startedOn) return;
    signed.startedOn = startedOn;
    this.#session.started(signed.call.ref);
  }

  async #renew(signed: Signed | undefined): Promise<void> {
    const [first] = signed?.results ?? [];
    if (!signed || !first) return;
    signed.wasRenewed = true;
    this.#service.renewed.add(first.text);
    const renewed = await this.#session.renew(signed.call.ref, first).catch(() => null);
    if (renewed && this.#service.textAt(renewed.url) !== first.text)
      this.#wrong.push('a renewal of another text');
  }

  async #peace(): Promise<void> {
    this.#service.peaceful = true;
    this.#proxy.state = 'up';
    this.#service.socket?.drop(1006);
    this.#goes('online');
    for (let left = PEACE_MS; left > 0 && this.#isBusy; left -= 10_000) {
      await this.#clock.advance(10_000);
      for (const signed of this.#signed) this.#play(signed);
    }
  }

  get #isBusy(): boolean {
    return this.#signed.some(
      ({ outcome, startedOn, stop }) =>
        outcome === 'open' ||
        (this.#schedule.mode === 'stream' && outcome === 'resolved' && !startedOn && !stop.signal.aborted),
    );
  }

  /** Nothing outlives end(), which takes 5 s at most. */
  async #checkEnd(): Promise<void> {
    let timers = -1;
    void this.#session
      .end()
      .then(promisesSettled)
      .then(() => (timers = this.#timers.pending));
    await this.#clock.advance(5_000);
    await promisesSettled();
    if (timers === -1) this.#wrong.push('end() did not end');
    if (timers > 0) this.#wrong.push(`${timers} timers are left`);
    if (this.#network.listeners > 0) this.#wrong.push('listeners of the network are left');
    // Sockets close as slowly as they talk.
    await this.#clock.advance(5_000);
    for (const socket of this.#service.sockets) {
      if (socket.readyState < 3) this.#wrong.push('a socket is left');
      if (socket.listeners > 0) this.#wrong.push('listeners of a socket are left');
    }
  }
}

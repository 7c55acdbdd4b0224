// The texts of an AutoSession and the ways they went. Policy: in call order, whichever way they are on; of the last 64
// that are over the way is remembered, because only the session that made a result can renew it.
import type { AutoCall } from './auto-call.ts';
import type { Emit } from '../session-events.ts';
import type { TextSession } from '../text-session.ts';

const REMEMBERED_CALLS = 64;

export class AutoCalls {
  /** Not yet settled; in stream mode not yet started. */
  readonly #open = new Map<string, AutoCall>();
  readonly #past = new Map<string, TextSession>();

  /** In call order. */
  get open(): AutoCall[] {
    return [...this.#open.values()];
  }

  get(ref: string): AutoCall | undefined {
    return this.#open.get(ref);
  }

  /** False when the ref names another text. */
  add(call: AutoCall): boolean {
    if (this.#open.has(call.ref) || this.#past.has(call.ref)) return false;
    this.#open.set(call.ref, call);
    return true;
  }

  settled(call: AutoCall): void {
    if (this.#open.get(call.ref) !== call) return;
    this.#open.delete(call.ref);
    if (call.way) this.#past.set(call.ref, call.way);
    for (const ref of this.#past.keys()) {
      if (this.#past.size <= REMEMBERED_CALLS) return;
      this.#past.delete(ref);
    }
  }

  /** Puts every text on this way but those that another has signed in part. */
  handAllTo(way: TextSession): void {
    for (const call of this.open) if (!call.isPartlySigned) call.handTo(way);
  }

  /** Puts the texts that are on no way on this one. */
  handWaitingTo(way: TextSession): void {
    for (const call of this.open) if (call.way === null) call.handTo(way);
  }

  /** Fails the texts that are on no way. */
  failWaiting(reason: unknown): void {
    for (const call of this.open) if (call.way === null) call.fail(reason);
  }

  /** The last first: a place that comes free must not go to a text that fails too. */
  failAll(reason: unknown): void {
    for (const call of this.open.reverse()) call.fail(reason);
  }

  /** Passes on what both ways tell alike: `sign-accepted` once a call, however often it was sent; and what they give up. */
  relay(way: TextSession, emit: Emit): void {
    way.on('sign-accepted', (detail) => {
      const call = this.#open.get(detail.ref);
      if (call?.wasAccepted) return;
      if (call) call.wasAccepted = true;
      emit('sign-accepted', detail);
    });
    way.on('sign-result', (detail) => {
      const call = this.#open.get(detail.ref);
      if (call) call.isPartlySigned = true;
      emit('sign-result', detail);
    });
    way.on('sign-dropped', (detail) => {
      const call = this.#open.get(detail.ref);
      // One that has started changes its way no more.
      if (call) call.givenUpBy(way, detail.reason);
      else emit('sign-dropped', detail);
    });
  }

  /** The session that has the text, or had it. */
  wayOf(ref: string): TextSession | undefined {
    return this.#open.get(ref)?.way ?? this.#past.get(ref);
  }

  /** True while this session has a text to serve. */
  isOn(way: TextSession | null): boolean {
    return way !== null && this.open.some((call) => call.way === way);
  }
}

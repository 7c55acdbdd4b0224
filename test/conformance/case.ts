// A case: requests to the service which show that sentences of its documents hold.
// - A case says which sentences it shows and what it needs.
// - `free` may run anywhere, `paid` makes video, `staged` needs a sandbox with its faults, limits and clock.
import type { SentenceId } from './sentences/index.ts';
import type { Service } from './service.ts';

export interface Case {
  /** Unique among all cases. */
  readonly name: string;
  readonly shows: readonly SentenceId[];
  readonly needs: 'nothing' | 'payment' | 'sandbox';
  readonly run: (service: Service) => Promise<void>;
}

type Declare = (name: string, shows: readonly SentenceId[], run: Case['run']) => Case;

const declare =
  (needs: Case['needs']): Declare =>
  (name, shows, run) => ({ name, shows, needs, run });

/** Runs against any service, and makes no video as long as the service refuses what it should. */
export const free = declare('nothing');
/** Makes video: against a service elsewhere only on request. */
export const paid = declare('payment');
/** Needs faults, limits or a clock that moves: only against the sandbox. */
export const staged = declare('sandbox');

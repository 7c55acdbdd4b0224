// The record of one text of a schedule.
import type { SignResult, PendingUtterance } from '../../src/session/session-types.ts';
import type { FuzzSocket } from './fuzz-socket.ts';

export interface Signed {
  readonly text: string;
  readonly call: PendingUtterance;
  readonly stop: AbortController;
  /** No socket was ready when it was called, so that `auto` may try REST first. */
  readonly mayUseRest: boolean;
  outcome: 'open' | 'resolved' | 'rejected';
  reason: unknown;
  accepted: number;
  readonly results: SignResult[];
  /** Errors with its ref that were no warnings. */
  readonly errors: unknown[];
  /** Errors of a renewal have the ref of the text too. */
  wasRenewed: boolean;
  /** Stream mode: the socket whose stream it started in, or REST, where it has a stream of its own. */
  startedOn: FuzzSocket | 'rest' | null;
}

type Called = Pick<Signed, 'text' | 'call' | 'stop' | 'mayUseRest'>;

export const newSigned = (called: Called): Signed => ({
  ...called,
  outcome: 'open',
  reason: null,
  accepted: 0,
  results: [],
  errors: [],
  wasRenewed: false,
  startedOn: null,
});

export const isAbort = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'AbortError';

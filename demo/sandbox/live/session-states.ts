// The states of a live session (document 2, Internal live session statuses). The transitions between them are not shown
// there; these are the sandbox's. Policy: one table; what is not in it has no effect; STOPPED and FAILED are final.

export type SessionState = 'INITIALIZING' | 'PENDING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'FAILED';

/**
 * `provisioned`: its endpoints are there; `arrived`: the source comes; `left`: the source went away and may come back;
 * `stop`: asked for by its owner; `over`: everything of it has ended, by itself too; `failed`: it cannot go on.
 */
export type SessionEvent = 'provisioned' | 'arrived' | 'left' | 'stop' | 'over' | 'failed';

const transitions: Readonly<Record<SessionState, Readonly<Partial<Record<SessionEvent, SessionState>>>>> = {
  // A source that waits at the door may be told of before its endpoints are.
  INITIALIZING: {
    provisioned: 'PENDING',
    arrived: 'RUNNING',
    stop: 'STOPPING',
    over: 'STOPPED',
    failed: 'FAILED',
  },
  PENDING: { arrived: 'RUNNING', stop: 'STOPPING', over: 'STOPPED', failed: 'FAILED' },
  RUNNING: { left: 'PENDING', stop: 'STOPPING', over: 'STOPPED', failed: 'FAILED' },
  STOPPING: { over: 'STOPPED', failed: 'FAILED' },
  STOPPED: {},
  FAILED: {},
};

/** Where the event leads; null when it has no effect. */
export const after = (state: SessionState, event: SessionEvent): SessionState | null =>
  transitions[state][event] ?? null;

/** What a client is told; that a session failed is told by its `error`. */
export const externalStatus = {
  INITIALIZING: 'active',
  PENDING: 'active',
  RUNNING: 'active',
  STOPPING: 'finalizing',
  STOPPED: 'ended',
  FAILED: 'ended',
} as const satisfies Readonly<Record<SessionState, string>>;

// The states of a session and what leads from one to the next.
// - One state field, moved by this table alone; a step that the row does not name changes nothing.
// - A session may span several service sessions: `reconnecting` lasts from the loss of one, or from the first attempt that
//   failed, to the next that is ready, however many attempts that takes. From `ended` and `failed` it opens again.

export type SessionState =
  'idle' | 'connecting' | 'ready' | 'reconnecting' | 'finalizing' | 'ended' | 'failed';

/**
 * `open`: a first attempt is made; `ready`: it succeeded; `lost`: the session is gone and another will be tried; `failed`:
 * none will; `end`: asked to end; `closed`: it has ended.
 */
export type SessionStep = 'open' | 'ready' | 'lost' | 'failed' | 'end' | 'closed';

type Row = Readonly<Partial<Record<SessionStep, SessionState>>>;

export const transitions: Readonly<Record<SessionState, Row>> = {
  idle: { open: 'connecting' },
  connecting: { ready: 'ready', lost: 'reconnecting', failed: 'failed', end: 'ended', closed: 'ended' },
  ready: { lost: 'reconnecting', failed: 'failed', end: 'finalizing', closed: 'ended' },
  reconnecting: { ready: 'ready', failed: 'failed', end: 'ended', closed: 'ended' },
  finalizing: { closed: 'ended' },
  ended: { open: 'connecting' },
  failed: { open: 'connecting' },
};

// The states of a SignSession and what leads from one to the next. Policy: one state field, moved by this table alone;
// a step that the row does not name changes nothing. A SignSession may span several service sessions: from `ended` and
// `failed` it opens again. Nothing leads to `reconnecting` as long as a lost session rejects what waits; its row says
// how it will be left.

export type SessionState =
  'idle' | 'connecting' | 'ready' | 'reconnecting' | 'finalizing' | 'ended' | 'failed';

/** `open`: a socket is being opened; `ready`: session.ready came; `end`: asked to end; `closed`: the session is gone. */
export type SessionStep = 'open' | 'ready' | 'end' | 'closed';

type Row = Readonly<Partial<Record<SessionStep, SessionState>>>;

export const transitions: Readonly<Record<SessionState, Row>> = {
  idle: { open: 'connecting' },
  connecting: { ready: 'ready', end: 'ended', closed: 'failed' },
  ready: { end: 'finalizing', closed: 'failed' },
  reconnecting: { ready: 'ready', end: 'ended', closed: 'failed' },
  finalizing: { closed: 'ended' },
  ended: { open: 'connecting' },
  failed: { open: 'connecting' },
};

// `sign-elements/client`: the headless session, for pages and programs that bring their own player.
export { SignSession } from './session/sign-session.ts';
export type { RenewOptions, SignCall, SignOptions, SignSessionOptions } from './session/session-options.ts';
export type { CallResult, SessionEventMap, SessionSummary, SignResult } from './session/session-events.ts';
export type { SessionState } from './session/states.ts';
export type { Clock } from './session/clock.ts';
export type { SocketConstructor, SocketLike } from './session/connection.ts';
export type { SessionConfig } from './protocol/client-frames.ts';
export type { Limits } from './protocol/server-frames.ts';
export { SignError } from './protocol/sign-error.ts';
export type { Severity } from './protocol/sign-error.ts';

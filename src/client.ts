// `sign-elements/client`: the headless session and the REST client, for pages and programs that bring their own player.
export type { AnnouncementFields } from './protocol/announcement.ts';
export type { SessionConfig, SessionMode } from './protocol/client-frames.ts';
export type { StreamManifests } from './protocol/find-url.ts';
export type { LiveSession } from './protocol/live-session.ts';
export type { Limits } from './protocol/server-frames.ts';
export { SignError } from './protocol/sign-error.ts';
export type { Severity } from './protocol/sign-error.ts';
export type { Silence, SilenceRequest } from './protocol/silence.ts';
export type { DeliveryConfig, GenerateRequest, Generated, JobStatus } from './protocol/translation.ts';
export type { Clock } from './session/clock.ts';
export type { SocketConstructor, SocketLike } from './session/connection.ts';
export type { Fetch } from './session/diagnose-upgrade.ts';
export type { NetworkLike } from './session/reconnect.ts';
export { createSignClient } from './session/rest/rest-client.ts';
export type {
  Announcement,
  GenerateOptions,
  SignClient,
  SignClientOptions,
} from './session/rest/rest-client.ts';
export type { RequestOptions } from './session/rest/rest-request.ts';
export type { CallResult, SessionEventMap, SessionSummary, SignResult } from './session/session-events.ts';
export type { RenewOptions, SignCall, SignOptions, SignSessionOptions } from './session/session-options.ts';
export { SignSession } from './session/sign-session.ts';
export type { SessionState } from './session/states.ts';

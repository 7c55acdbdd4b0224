// `sign-elements/client`: the headless session and the REST client, for pages and programs that bring their own player.
export { SignSession } from './session/sign-session.ts';
export type {
  CallResult,
  PendingUtterance,
  RenewOptions,
  SessionEventMap,
  SessionState,
  SessionSummary,
  SignOptions,
  SignResult,
  SignSessionOptions,
} from './session/session-types.ts';
export type { Clock } from './session/async.ts';
export type { SocketConstructor, SocketLike } from './session/transports/v3-socket.ts';
export type { NetworkLike } from './session/network.ts';
export type { SessionConfig, SessionMode } from './protocol/client-frames.ts';
export type { Limits } from './protocol/server-frames.ts';
export { createSignClient } from './session/rest/rest-client.ts';
export type { Announcement, SignClient } from './session/rest/rest-client.ts';
export type { GenerateOptions } from './session/rest/generate.ts';
export type { RequestOptions, SignClientOptions } from './session/rest/request.ts';
export type { Fetch } from './session/diagnose-upgrade.ts';
export type { AnnouncementFields } from './protocol/announcement.ts';
export type { DeliveryConfig, Generated, GenerateRequest, JobStatus } from './protocol/translation.ts';
export type { LiveSession } from './protocol/live-session.ts';
export type { StreamManifests } from './protocol/find-url.ts';
export type { Silence, SilenceRequest } from './protocol/silence.ts';
export { SignError } from './protocol/sign-error.ts';
export type { Severity } from './protocol/sign-error.ts';

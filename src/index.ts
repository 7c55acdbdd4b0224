// `import 'sign-elements'`: the classes and the headless client; defines nothing.
export { configure, type Configuration } from './elements/configure.ts';
export { SignAnnouncement, type AnnouncementOutcome } from './elements/sign-announcement.ts';
export { SignLivePlayer } from './elements/sign-live-player.ts';
export { SignSilenceLoop } from './elements/sign-silence-loop.ts';
export { SignTranslate } from './elements/sign-translate.ts';
export type { Placement, Resolution } from './elements/attributes.ts';
export type { LiveView } from './elements/live-stream.ts';
export type {
  QueueEntry,
  QueueState,
  SignEventDetails,
  SignEventMap,
  SignState,
  SignStats,
} from './elements/sign-events.ts';
export type { SilenceFormat } from './elements/sign-silence-loop.ts';
export type { Mode, Transport } from './elements/translate/session-settings.ts';
export type { LiveProtocol } from './playback/live/engine.ts';
export type { StreamType } from './playback/live/live-player.ts';
export type { Language } from './protocol/signers.ts';
export type { SignOutcome } from './elements/translate/translate-utterance.ts';
export * from './client.ts';

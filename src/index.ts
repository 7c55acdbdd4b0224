// `import 'sign-elements'`: the classes and the headless client; defines nothing.
export { SignAnnouncement, type AnnouncementOutcome } from './elements/sign-announcement.ts';
export { SignLivePlayer } from './elements/sign-live-player.ts';
export { SignSilenceLoop } from './elements/sign-silence-loop.ts';
export { SignTranslate } from './elements/sign-translate.ts';
export type { SignEventDetails, SignEventMap, SignState } from './elements/sign-events.ts';
export type { SignOutcome } from './elements/translate/translate-utterance.ts';
export * from './client.ts';

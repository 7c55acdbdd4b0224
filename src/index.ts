// `import 'sign-elements'`: the classes and the headless client; defines nothing.
export { SignTranslate } from './elements/sign-translate.ts';
export type { SignEventDetails, SignEventMap, SignState } from './elements/sign-events.ts';
export type { SignOutcome } from './elements/sign-call.ts';
export * from './client.ts';

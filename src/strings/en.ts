// English interface texts, and by its shape the list of all texts there are.
// - Plain words and short sentences: many who read them read English as a second language.
// - It is called AI-generated signing, never an interpreter.

export const en = {
  label: 'Sign language video (AI-generated)',
  generated: 'AI-generated',
  play: 'Play',
  pause: 'Pause',
  replay: 'Sign it again',
  speed: 'Speed',
  fullscreen: 'Full screen',
  signPage: 'Sign this text',
  preparing: 'The signs are coming…',
  reconnecting: 'Connecting again…',
  errorNoText: 'There is no text to sign.',
  errorSigner: 'This signer is not available here.',
  errorService: 'The signing service is not there right now. Please try again later.',
  errorLoad: 'A part of this page did not load. Please check your connection and try again.',
  errorRefused: 'Signing is not set up for this page.',
  errorMedia: 'The video could not be shown.',
  errorTooLong: 'This text is too long to be signed. Please choose a shorter part.',
  errorText: 'This text could not be signed.',
  errorAnnouncement: 'This announcement could not be signed.',
  liveWaiting: 'The live signing has not started yet.',
  liveEnding: 'The live signing is ending.',
  liveEnded: 'The live signing has ended.',
  liveFailed: 'The live signing stopped because something went wrong.',
  liveNotFound: 'There is no live signing here.',
  liveNoVideo: 'This live signing cannot be shown on a page.',
  goLive: 'Go live',
  delay: 'Delay',
  behindVideo: 'Behind the video',
  aheadOfVideo: 'Ahead of the video',
};

export type Strings = typeof en;

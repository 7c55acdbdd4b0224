// English texts of a page that is read, which are loaded with the first reading.

export const readingEn = {
  stop: 'Stop',
  previous: 'Previous sentence',
  next: 'Next sentence',
  fromHere: 'Sign from here',
  selection: 'Sign what is selected',
  rejoin: 'Back to the sentence being signed',
  queue: 'All sentences',
  of: 'of',
  waiting: 'waiting',
  preparing: 'being prepared',
  ready: 'ready',
  signing: 'being signed',
  signed: 'signed',
  failed: 'not signed',
  skip: 'Skip',
  clear: 'Skip all that wait',
  caption: 'Show the text',
  report: 'This is signed wrong',
  reported: 'Thank you. It was passed on.',
  reviewed: 'AI-generated, reviewed',
  human: 'Human signer',
};

export type ReadingStrings = typeof readingEn;

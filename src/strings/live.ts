// English texts of a live player, which are loaded with the code that plays a stream.

export const liveEn = {
  waiting: 'The live signing has not started yet.',
  ending: 'The live signing is ending.',
  ended: 'The live signing has ended.',
  failed: 'The live signing stopped because something went wrong.',
  notFound: 'There is no live signing here.',
  noVideo: 'This live signing cannot be shown on a page.',
  goLive: 'Go live',
  delay: 'Delay',
  behindVideo: 'Behind the video',
  aheadOfVideo: 'Ahead of the video',
};

export type LiveStrings = typeof liveEn;

// `npm run test:older`: the browser tests in a Chromium without what is younger than the oldest browsers that must work.
// - Safari 17.0 and iOS 17.0 have none of what is taken away here. They have no `:state()` either, which tests read: it stays.
// - It is not a part of `npm test`, whose time it would double.
import shared from '../../web-test-runner.config.mjs';

const takeAway = `
  delete AbortSignal.any;
  delete URL.canParse;
  delete URL.parse;
  delete Promise.withResolvers;
  delete Promise.try;
  delete Object.groupBy;
  delete Map.groupBy;
  delete Array.fromAsync;
  delete Element.prototype.checkVisibility;
  delete ReadableStream.prototype[Symbol.asyncIterator];
  delete window.ManagedMediaSource;
  delete window.scheduler;
  delete window.requestIdleCallback;
  delete window.documentPictureInPicture;
`;

export default {
  ...shared,
  testRunnerHtml: (testFramework) => `<!doctype html>
<html>
  <head><script>${takeAway}</script></head>
  <body><script type="module" src="${testFramework}"></script></body>
</html>`,
};

// `npm run test:older`: the browser tests in a Chromium without what the oldest supported browsers lack.
// - It removes what Safari 17.0, iOS 17.0, Chrome 120 or Firefox 121 does not have, as far as a page can remove it.
// - Four things that Firefox 121 does not have stay, because the tests use them themselves: `:state()`, `CSS.highlights`,
//   `Intl.Segmenter` and `requestVideoFrameCallback`. New syntax stays too: regular expressions with `v`, `using`, relaxed nesting
//   in CSS.
// - The tests that do not run are in left-out.mjs.
// - `npm test` does not include it, because it would double the time.
import shared, { allFiles, pagesOf } from '../../web-test-runner.config.mjs';
import { leavesOut } from './left-out.mjs';

/** Names by their owner. */
const younger = {
  AbortSignal: ['any'],
  Array: ['fromAsync'],
  'ArrayBuffer.prototype': ['transfer', 'transferToFixedLength', 'detached'],
  'Blob.prototype': ['bytes'],
  'Document.prototype': ['caretPositionFromPoint', 'startViewTransition'],
  Document: ['parseHTMLUnsafe'],
  'Element.prototype': ['checkVisibility', 'getHTML', 'moveBefore', 'setHTMLUnsafe'],
  'HTMLElement.prototype': ['hidePopover', 'popover', 'showPopover', 'togglePopover', 'onscrollend'],
  Intl: ['DurationFormat'],
  'Iterator.prototype': 'drop every filter find flatMap forEach map reduce some take toArray'.split(' '),
  Map: ['groupBy'],
  'Map.prototype': ['getOrInsert', 'getOrInsertComputed'],
  Math: ['f16round', 'sumPrecise'],
  Object: ['groupBy'],
  Promise: ['try', 'withResolvers'],
  'ReadableStream.prototype': ['values'],
  'Response.prototype': ['bytes'],
  RegExp: ['escape'],
  'Set.prototype':
    'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union'.split(' '),
  Uint8Array: ['fromBase64', 'fromHex'],
  'Uint8Array.prototype': ['setFromBase64', 'setFromHex', 'toBase64', 'toHex'],
  URL: ['canParse', 'parse'],
  window: [
    'CloseWatcher',
    'Float16Array',
    'Iterator',
    'ManagedMediaSource',
    'documentPictureInPicture',
    'navigation',
    'onscrollend',
    'requestIdleCallback',
    'scheduler',
  ],
};

const takeAway = [
  'delete ReadableStream.prototype[Symbol.asyncIterator];',
  ...Object.entries(younger).flatMap(([owner, names]) => names.map((name) => `delete ${owner}.${name};`)),
].join('\n');

export default {
  ...shared,
  files: pagesOf(allFiles),
  plugins: [...shared.plugins, leavesOut('older')],
  testRunnerHtml: (testFramework) => `<!doctype html>
<html>
  <head><script>${takeAway}</script></head>
  <body><script type="module" src="${testFramework}"></script></body>
</html>`,
};

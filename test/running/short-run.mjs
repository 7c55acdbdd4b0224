// Which files of tests `npm test` runs: those that check most for their time, in six minutes of two cores. The others take two
// thirds of the time of all, and `npm test -- --all` runs them too.
// - Left out: outages and hosts that fail, live streams of odd shapes, what takes many rounds to show (memory, long rows), whole
//   pages, media in real time, packages that are packed and installed, the check of the service by its documents, attacks.
// - Of each subject something stays: the rule on a manual clock, or one case in a browser.
// - `.ci/run` runs everything, so nothing lands unchecked.
const browser = (folder, ...names) => names.map((name) => `test/${folder}/${name}.browser.ts`);

/** Browser tests. */
export const longPages = new Set([
  ...browser(
    'elements',
    'adopted',
    'another-text',
    'ended-early',
    'hidden-page',
    'idle-signer',
    'interrupted',
  ),
  ...browser(
    'elements',
    'left-behind',
    'life',
    'players-of-others',
    'prepared',
    'recovery',
    'refused-stream',
  ),
  ...browser(
    'elements',
    'seeking',
    'slow-network',
    'stream-drops',
    'stream-window',
    'transports',
    'unended-stream',
  ),
  ...browser('elements/announcement', 'announcement-board'),
  ...browser('elements/live', 'live-interrupted', 'live-session', 'media-away', 'video-sync-ends'),
  ...browser('elements/silence', 'silence-failures', 'silence-rounds'),
  ...browser('playback/chroma-key', 'canvas-memory'),
  ...browser('playback/clips', 'budget', 'disturbed', 'hosts', 'last-frame', 'stuck'),
  ...browser('playback/live', 'dash-restart', 'end-over-holes', 'failing', 'first-segment', 'managed-source'),
  ...browser(
    'playback/live',
    'media-error',
    'native-engine',
    'replay-of-window',
    'sequence-jump',
    'times-anew',
  ),
  ...browser('playback/live', 'unreadable-segments'),
]);

/** Node tests. */
const LONG_NODE_TESTS = [
  /^test\/page\/(?!script-tag\.)/,
  /^test\/players\//,
  /^test\/conformance\/(?!completeness\.|websocket\.)/,
  /^test\/demo\/start\./,
  /^test\/package\/(?:packed|release)\./,
  /^test\/proxy\/(?:hostile|prepare|sandbox)\//,
  /^test\/proxy\/(?:program|replicas\/restarts|sites\/many-sites)\./,
  /^test\/sandbox\/live\/(?:media|source)\//,
];

/**
 * True for a file that `npm test` runs.
 * @param {string} file from the repository's root
 */
export const inShortRun = (file) =>
  file.endsWith('.browser.ts') ? !longPages.has(file) : !LONG_NODE_TESTS.some((one) => one.test(file));

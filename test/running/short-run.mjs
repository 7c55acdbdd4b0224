// Which files of tests `npm test` runs: those that check most for their time, in six minutes of two cores. The others take more
// than two thirds of the time of all, and `npm test -- --all` runs them too.
// - Left out: outages and hosts that fail, live streams of odd shapes, tests with many rounds (memory, long playlists), whole
//   pages, media in real time, packages that are packed and installed, the check of the service by its documents, attacks, and
//   several replicas.
// - Of each subject something stays: the rule on a manual clock, or one case in a browser.
// - `.ci/run` runs everything, so nothing lands unchecked.
const browser = (folder, names) => names.split(' ').map((name) => `test/${folder}/${name}.browser.ts`);

/** Browser tests. */
export const longPages = new Set([
  ...browser(
    'elements',
    'adopted another-text ended-early hidden-page idle-signer interrupted left-behind life',
  ),
  ...browser(
    'elements',
    'players-of-others prepared recovery refused-stream seeking slow-network stream-drops',
  ),
  ...browser('elements', 'stream-outage stream-window transports unended-stream'),
  ...browser('elements/announcement', 'announcement-board'),
  ...browser('elements/live', 'live-interrupted live-session media-away video-sync video-sync-ends'),
  ...browser('elements/silence', 'silence-failures silence-rounds'),
  ...browser('playback/chroma-key', 'canvas-memory chroma-key-canvas'),
  ...browser('playback/clips', 'budget disturbed fallback hosts idle last-frame stuck'),
  ...browser('playback/live', 'dash-restart end-over-holes failing first-segment managed-source media-error'),
  ...browser('playback/live', 'native-engine replay-of-window sequence-jump times-anew unreadable-segments'),
]);

/** Node tests. */
const LONG_NODE_TESTS = [
  /^test\/page\/(?!script-tag\.)/,
  /^test\/players\//,
  /^test\/conformance\/(?!completeness\.|websocket\.)/,
  /^test\/demo\/start\./,
  /^test\/package\/(?:packed|release)\./,
  /^test\/proxy\/(?:hostile|prepare|reload|replicas|sandbox|shared)\//,
  /^test\/proxy\/(?:program|sites\/many-sites)\./,
  /^test\/sandbox\/(?:live|media|streams)\//,
  /^test\/sandbox\/(?:main|sandbox)\./,
];

/**
 * True for a file that `npm test` runs.
 * @param {string} file from the repository's root
 */
export const inShortRun = (file) =>
  file.endsWith('.browser.ts') ? !longPages.has(file) : !LONG_NODE_TESTS.some((one) => one.test(file));

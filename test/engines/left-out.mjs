// The single tests that do not run in another browser, each with the reason and the number of the browser's bug.
// - A test that has no row here runs there: the configurations beside this file take every file, and `leavesOut` marks these tests
//   as pending. run.mjs counts them, and fails when one is no longer pending.
// - `bug` is an address in a public tracker.
// - Seen in November 2026 in Firefox 153, and in WebKitGTK 2.50 with GStreamer 1.22, which Safari does not use.
import { SKIPPED } from '../results/browser-reporter.mjs';
import { sourceOfPage } from '../running/compile-pages.mjs';

const webkit = (number) => `https://bugs.webkit.org/show_bug.cgi?id=${number}`;
const mozilla = (number) => `https://bugzilla.mozilla.org/show_bug.cgi?id=${number}`;

/** By browser. `file` is without `test/` and `.browser.ts`. */
export const leftOut = {
  chromium: [],
  firefox: [],
  older: [
    {
      file: 'panel/top-layer',
      tests: [
        'is in its corner of the window also in an ancestor with `transform`, while the page scrolls too',
        'stays in its corner when the page moves it to an ancestor with `filter` and back, closed and open',
        'is in its corner again after full screen, also when that is refused, and when the panel is closed meanwhile',
      ],
      reason:
        'Firefox before 125 has no popover, and no other way to lift a panel out of an ancestor that holds it',
      bug: mozilla(1866993),
    },
  ],
  webkit: [
    {
      file: 'elements/picture-in-picture',
      tests: [
        'picture-in-picture continues over every join, with one video',
        'picture-in-picture moves to the visible video when clips fall back to two videos, and between the two',
        'picture-in-picture ends on the visible video when clips change faster than its window moves',
        'picture-in-picture moves to the stream that follows a lost one',
        'picture-in-picture moves to the new video when a page changes from clips to a stream',
        'a picture-in-picture window that the visitor closes stays closed, and the element plays on',
        'picture-in-picture has a button that asks for the window, and a refusal changes nothing',
        'media-chrome opens the window of a live player, and closes it',
      ],
      reason: 'a video has no requestPictureInPicture',
      bug: webkit(202756),
    },
    {
      file: 'elements/windows',
      tests: ['its button makes the signer full screen while another element of the page is full screen'],
      reason: 'no element becomes full screen in one that already is, with a window manager too',
      bug: webkit(322052),
    },
    {
      file: 'playback/silence/silence',
      tests: ['a file that cannot be joined is looped as it is'],
      reason: 'a file that the browser itself loops says in its second round that it stands at its beginning',
      bug: webkit(302565),
    },
    {
      file: 'playback/clips/b-frames',
      tests: [
        'the last frame of a clip that nothing follows is painted and its end is reported; a clip that comes late is played',
      ],
      reason:
        'a video that has ended counts its frames from 0 again, and one frame is not counted; all are shown',
      bug: 'https://github.com/WebPlatformForEmbedded/WPEWebKit/pull/1046',
    },
    {
      file: 'playback/clips/paused-between',
      tests: ['paused between two clips, the first frame of the next one waits on screen and does not move'],
      reason:
        'a video that is paused at its end and sought into what was appended says that it is paused, and shows the second frame or plays on',
      bug: webkit(302160),
    },
    {
      file: 'playback/clips/fallback',
      tests: [
        'without MediaSource every clip is shown on two videos, and one that turns out to be longer makes the timeline longer',
        'a full buffer that cannot be emptied: the second clip is shown on two videos, and neither clip loses a frame',
        'a source that closed: the second clip is shown on two videos, and neither clip loses a frame',
      ],
      reason:
        'a video whose source is a file counts no frame (totalVideoFrames stays 0), and these tests count them',
      bug: 'https://github.com/mdn/browser-compat-data/issues/21484',
    },
    {
      file: 'playback/clips/encodings',
      tests: [
        'three frames: played in its turn and to its last frame, alone and between others, which lose no frame',
        'a frame inside that is held: played in its turn and to its last frame, alone and between others, which lose no frame',
      ],
      reason:
        'a `<video>` that is told only after the end of a file that it plays is sought to 0 by the browser and plays it once more, on a busy page without any other code in 8 of 72 plays',
      bug: webkit(320981),
    },
    {
      file: 'playback/live/unreadable-segments',
      tests: ['a segment of noise', 'a segment of zeros'].map(
        (name) => `leaves out ${name}, and plays on at once and without a new source, live and after the end`,
      ),
      reason:
        'a hole of up to a second does not stop the decoder: the frame behind it is shown while the time still passes the hole',
      bug: webkit(135867),
    },
  ],
};

const path = (file) => `test/${file}.browser.ts`;

/** The titles of the tests that a browser leaves out of a file; its path is from the repository's root. */
export const testsLeftOut = (engine, file) =>
  leftOut[engine].filter((row) => path(row.file) === file).flatMap(({ tests }) => tests);

/** The plugin of web-test-runner by which the tests that a browser leaves out are pending: in their files `it` skips them. */
export const leavesOut = (engine) => ({
  name: 'tests that are left out',
  transform({ path: address, body }) {
    const titles = testsLeftOut(engine, sourceOfPage(address.slice(1)));
    if (titles.length === 0) return undefined;
    const skips = `${JSON.stringify(titles)}.includes(title)`;
    // On the first line, so that failures name the right lines.
    return `const it = (title, test) => (${skips} ? window.it.skip : window.it)(title, test); ${body}`;
  },
});

/** What a browser's verdicts say: a test that is left out is pending and no failure, and one that is not pending is a failure. */
export function judge(engine, verdicts) {
  const named = leftOut[engine].flatMap(({ file, tests }) =>
    tests.map((name) => ({ suite: path(file), name })),
  );
  const isNamed = ({ suite, name }) => testsLeftOut(engine, suite).includes(name);
  const pending = verdicts.filter((one) => one.failure === SKIPPED && isNamed(one));
  const rest = verdicts.filter((one) => !pending.includes(one));
  const gone = named
    .filter(({ suite, name }) => !pending.some((one) => one.suite === suite && one.name === name))
    .map((one) => ({ ...one, failure: 'is left out in left-out.mjs, and is no pending test' }));
  return {
    passed: rest.filter(({ failure }) => failure === null),
    failed: [...rest.filter(({ failure }) => failure !== null), ...gone],
    pending,
  };
}

// The files of browser tests that do not run in another browser, each with the reason and the number of the browser's bug.
// - A file that has no line here runs there: the configurations beside this file take all others (`filesFor`).
// - `bug` is an address in the browser's tracker. `none` means that no report was found, and says what the browser does.
// - Seen in November 2026 in Firefox 153, and in WebKitGTK 2.50 with GStreamer 1.22. A fraction is how many tests of a file fail.
// - WebKitGTK plays by GStreamer, which Safari does not use.
import { pageFiles } from '../running/compile-pages.mjs';

const webkit = (number) => `https://bugs.webkit.org/show_bug.cgi?id=${number}`;
const mozilla = (number) => `https://bugzilla.mozilla.org/show_bug.cgi?id=${number}`;

const NO_COLLECTOR = {
  reason: 'a page cannot call the garbage collector of a release build',
  bug: 'none: only the test programs of WebKit can call it',
};

/** By browser, then by file without `test/` and `.browser.ts`. */
export const leftOut = {
  firefox: {
    'elements/left-behind': {
      reason:
        '1 of 5: the bytes of a silence loop stay in memory while the signal that could have ended their load is held',
      bug: 'none: it is not understood which variable keeps them',
    },
    'elements/silence/silence-memory': {
      reason: '1 of 1 in one whole run, and passed in another: as in left-behind',
      bug: 'none: it is not understood which variable keeps them',
    },
    'playback/chroma-key/canvas-memory': {
      reason: 'more than one canvas stays in memory after a minute of garbage collection',
      bug: 'none: it is not understood what keeps it',
    },
  },
  older: {
    'panel/top-layer': {
      reason:
        'Firefox before 125 has no popover, and no other way to lift a panel out of an ancestor that holds it',
      bug: mozilla(1866993),
    },
  },
  webkit: {
    'elements/picture-in-picture': { reason: 'a video has no requestPictureInPicture', bug: webkit(202756) },
    'elements/windows': {
      reason:
        '2 of 3, with the window manager openbox too: no element becomes full screen in one that already is, and in the test after it the playback state of the media session is `paused`, not `none`',
      bug: webkit(322052),
    },
    'elements/left-behind': NO_COLLECTOR,
    'elements/silence/silence-memory': NO_COLLECTOR,
    'playback/chroma-key/canvas-memory': NO_COLLECTOR,
    'playback/silence/silence': {
      reason:
        '1 to 2 of 10: a short file that the browser itself loops stands at its beginning in the second round, and a loop whose bytes were removed is not played on',
      bug: webkit(302565),
    },
    'playback/clips/b-frames': {
      reason: '1 of 5: a video that has ended counts its frames from 0 again, and one frame is not counted',
      bug: 'none: no report of it was found; what is on screen is whole',
    },
    'playback/clips/fallback': {
      reason: '3 of 13: a video whose source is a file counts no frame (totalVideoFrames stays 0)',
      bug: 'none: no report of it was found; what is on screen is whole',
    },
    'playback/clips/encodings': {
      reason:
        '4 of 20: clips with a held frame or an avc3 entry fall back and are not joined, and of a turned picture nothing can be read',
      bug: 'none: why these clips fall back is not understood',
    },
    'playback/clips/paused-between': {
      reason:
        '1 of 1: a video that is paused at its end and sought into what was appended says that it is paused and stands at its first frame, and shows the second one (11 of 25) or plays on (14 of 25); a pause at the seek changes nothing, and after a play and a pause behind it 2 of 12 play on',
      bug: webkit(302160),
    },
    'elements/live/live-player': {
      reason: '1 of 10, another one in each run: a DASH stream does not begin within a minute',
      bug: 'none: it is not understood',
    },
    'elements/sticky-signer': {
      reason: '1 of 2: no key can be held while another is pressed',
      bug: 'none: the limit is that of the test runner for WebDriver',
    },
    'elements/silence/silence-rounds': {
      reason: 'the process of the page crashes or hangs, in the newest run too',
      bug: 'none: the driver says no more than "page crash or hang"',
    },
    'playback/live/unreadable-segments': {
      reason:
        '2 of 7: a hole of up to a second does not stop the decoder: the frame behind it is shown while the time still passes the hole',
      bug: webkit(135867),
    },
  },
};

const named = (file) => file.replace(/^test\/(.*)\.browser\.ts$/, '$1');

/** The files that run in a browser, those of `files` that are not left out. */
export const filesFor = (engine, files = pageFiles()) =>
  files.filter((file) => !(named(file) in leftOut[engine]));

// `npm run test:webkit`: the browser tests in WebKitGTK, the nearest to Safari that can be had without a Mac.
// - The same tests, settings, proxy and sandbox as in Chromium; only the browser differs.
// - `npm test` plays a file where it is installed (run.mjs); all of them would double its time.
// - Only files that pass here are run. Files that fail are named below with the reason; all others were not tried.
import { existsSync } from 'node:fs';
import shared, { pagesOf } from '../../web-test-runner.config.mjs';
import { webkitLauncher } from './webkit-launcher.mjs';

/**
 * Left out, because they fail here (WebKitGTK 2.50, GStreamer 1.22), each with how many of its tests do.
 * What the browser has not: `elements/windows` (6 of 7) and `elements/players-of-others` (1 of 4), a video has no
 * `requestPictureInPicture`; `elements/left-behind`, a page cannot call the garbage collector.
 * A file that plays stops within, or at its end without an `ended` event, also on a video that did not fail before. The player
 * starts it again (video-slot.ts), which once was not enough for `playback/silence/silence` (1 of 9), where the browser itself
 * loops a short file from its address; `playback/clips/fallback` was not tried often enough since. It happens most where several
 * videos begin 0.3 s apart: half of them stand at their first frame until they are loaded again (video-slot.ts,
 * fallback-player.ts). `playback/clips/stuck` (2 of 3) makes the checks that would do so itself.
 * `elements/failures` passes, and now and then is not over in minutes.
 * Where GStreamer plays, a change of speed takes the sound of a muted video on again, without the page's doing; Safari plays
 * by other means: `elements/live/live-player` (1 of 10), and perhaps `elements/live/live-interrupted` (2 of 4), where
 * moreover a stream that has ended does not begin again with `loop`, which alone it once did.
 * GStreamer stops with "Failed to push buffer" where a source that had ended gets more (webkit.org/b/313814, mended in later
 * versions): `playback/clips/joined` (1 of 9, in one run of four) and `playback/clips/encodings` (16 of 20, with one row at a time
 * too), whose clips each follow one at which the source has ended. The player seeks before by now (source-buffer-queue.ts), and
 * these two were not tried since.
 * Of the kinds of `encodings` two are played by no `<video>` there: of a clip without a key frame nothing is shown, and one frame of
 * an encoder with B-frames is refused.
 * Not understood yet: `playback/live/live-player` (1 of 7), one that was played again after its end is paused; on a busy
 * machine three of its tests waited in vain.
 * Not tried often enough: `playback/live/managed-source`, which has passed; `playback/clips/budget`, both tests of which have
 * passed, and failed on a busy machine, where the playlist goes on with addresses that do not exist.
 * Only seen on a machine that ten browsers shared: `playback/live/failing` (1 of 7), frames come out of order;
 * `playback/clips/disturbed` (2 of 11); `elements/recovery` (1 of 27); `elements/stream` (3 of 14 or more);
 * `elements/transports` (1 of 8); `elements/live/video-sync` (1 of 3); `elements/announcement/announcement-board` and
 * `elements/silence/silence-rounds` were not over in four minutes.
 */
const passing = [
  'engines/abilities',
  'elements/adopted',
  'elements/announcement/announcement',
  'elements/background',
  'elements/controls',
  'elements/idle-signer',
  'elements/interrupted',
  'elements/life',
  'elements/live/live-player-states',
  'elements/live/live-session',
  'elements/seeking',
  'elements/sign-translate',
  'elements/silence/silence-loop',
  'page/changing',
  'page/nearest-lang',
  'page/reader',
  'page/sentences',
  'playback/alpha-webm',
  'playback/clips/idle',
  'playback/chroma-key/chroma-key-canvas',
  'playback/live/hls-engine',
  'playback/live/native-engine',
];

const files = passing.map((file) => `test/${file}.browser.ts`);
const missing = files.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`test/engines/webkit.config.mjs names no file: ${missing.join()}`);

export default {
  ...shared,
  files: pagesOf(files),
  // On a busy machine the first page takes long to begin.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  browsers: [webkitLauncher()],
};

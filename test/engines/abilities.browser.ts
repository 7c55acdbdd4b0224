// Which of the features that the elements use this browser has, printed in each run as rows of a table.
import { expect } from '@open-wc/testing';
import Hls from 'hls.js/light';
import { playsAlphaWebm } from '../../src/playback/alpha-webm.ts';
import { playsNatively } from '../../src/playback/live/native-engine.ts';

const H264 = 'video/mp4; codecs="avc1.64001f"';

function hasState(): boolean {
  try {
    return document.body.matches(':state(signing), body');
  } catch {
    return false;
  }
}

it('shows clips, and prints what else the browser can do', async () => {
  const { ManagedMediaSource } = window as unknown as { ManagedMediaSource?: unknown };
  const video = document.createElement('video');
  const can = {
    'clips joined on one timeline (MediaSource)':
      'MediaSource' in window && MediaSource.isTypeSupported(H264),
    'the same on an iPhone (ManagedMediaSource)': Boolean(ManagedMediaSource),
    'LL-HLS by hls.js': Hls.isSupported(),
    'HLS by itself': playsNatively(),
    'DASH by Shaka':
      'MediaSource' in window && 'getOrInsertComputed' in Map.prototype ? true : 'with a polyfill',
    'transparent WebM from the service': await playsAlphaWebm(),
    'a background removed in the page (WebGL2)': Boolean(
      document.createElement('canvas').getContext('webgl2'),
    ),
    'picture-in-picture': 'requestPictureInPicture' in video && document.pictureInPictureEnabled,
    'the marked sentence (CSS.highlights)': 'highlights' in CSS,
    'the end of a clip by its painted frames': 'requestVideoFrameCallback' in video,
    ':state()': hasState(),
  };
  const answer = (value: boolean | string): string => (value === true ? 'yes' : value || 'no');
  const rows = Object.entries(can).map(([what, value]) => `| ${what} | ${answer(value)} |`);
  console.log([navigator.userAgent, ...rows].join('\n'));
  expect(video.canPlayType(H264)).not.to.equal('');
});

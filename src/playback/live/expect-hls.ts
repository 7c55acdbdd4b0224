// Asks for hls.js beside the code of the live player and not after it, because it is most of the bytes before the first frame.
import { pageSettings } from '../../internal/page-settings.ts';

/**
 * For a stream that is probably HLS, by what the page says of it. Not for a page that sets options of hls.js, which may want the
 * full build, nor for an iPhone, which plays HLS itself.
 */
export function expectHls(saying: string): void {
  if ('MediaSource' in globalThis && !pageSettings.hls && !/dash|\.mpd/i.test(saying))
    import('hls.js/light').catch(() => {});
}

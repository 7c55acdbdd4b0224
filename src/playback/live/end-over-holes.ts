// Ends an HLS stream that has small holes between its segments.
// - hls.js (1.7.4) plays over a hole of up to 0.1 s (`maxBufferHole`), as an encoder with B-frames leaves it before a discontinuity.
//   It never ends a stream with one: the last frames stay in the decoder, and `ended` does not come.
// - The stream ends once its last segment is buffered and nothing is missing up to there. Its beginning is not enough: browsers
//   round the times of what is buffered.
import type Hls from 'hls.js';

export function endOverHoles(hls: Hls, { Events }: typeof Hls): void {
  hls.on(Events.FRAG_BUFFERED, () => {
    const { media, latestLevelDetails: details, mainForwardBufferInfo: ahead } = hls;
    const last = details?.fragments.at(-1);
    if (!media || media.buffered.length < 2 || details?.live !== false || !last) return;
    if (ahead && !ahead.nextStart && ahead.end > last.start + last.duration / 2)
      hls.trigger(Events.BUFFER_EOS, { type: null });
  });
}

// The DASH manifest of a stream (ISO 23009-1, live profile; document 2, manifests.dash), for the segments that HLS lists as
// fragmented MP4.
// - Each segment has its own time, because a segment may be shorter and the timeline may jump.
// - The manifest of a growing stream is `dynamic` and is read again every segment; that of an ended stream is `static`.
// - The server's time is included (UTCTiming), so that a browser with a wrong clock plays it too.
import { INIT_SEGMENT } from './hls-playlist.ts';
import { FRAME_TICKS, TIMESCALE } from './fmp4.ts';
import {
  LISTED_SECONDS,
  type ManifestView,
  peakRate,
  secondsOf,
  type Segment,
  targetDuration,
  dateTime,
} from './segment-window.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

const period = (seconds: number): string => `PT${seconds}S`;

/** Consecutive segments of one length are one row. */
function timeline(segments: readonly Segment[]): string[] {
  const runs: { from: number; frames: number; count: number }[] = [];
  for (const { from, frames } of segments) {
    const run = runs.at(-1);
    if (run && run.frames === frames && run.from + run.count * frames === from) run.count += 1;
    else runs.push({ from, frames, count: 1 });
  }
  return runs.map(({ from, frames, count }) => {
    const repeated = count > 1 ? { r: count - 1 } : {};
    return `<S${attributes({ t: from * FRAME_TICKS, d: frames * FRAME_TICKS, ...repeated })}/>`;
  });
}

/** @param now milliseconds since 1970 */
export function dashManifest(view: ManifestView, now: number): string {
  const { spec, codec, query, hasEnded } = view;
  const segments = view.segments.filter(({ isComplete }) => isComplete);
  const target = targetDuration(spec);
  const last = segments.at(-1);
  const end = last ? secondsOf(last.from + last.frames) : 0;
  const wall = new Date(now).toISOString();
  const times = hasEnded
    ? { type: 'static', mediaPresentationDuration: period(end) }
    : {
        type: 'dynamic',
        availabilityStartTime: dateTime(view, 0),
        publishTime: wall,
        minimumUpdatePeriod: period(target),
        // A job can be played from its start as long as it grows.
        ...(spec.kind === 'ongoing' && { timeShiftBufferDepth: period(LISTED_SECONDS) }),
        suggestedPresentationDelay: period(3 * target + view.heldSeconds),
      };
  const template = attributes({
    timescale: TIMESCALE,
    startNumber: segments[0]?.number ?? 0,
    initialization: INIT_SEGMENT + query,
    media: `$Number$.m4s${query}`,
  });
  const representation = attributes({
    id: 'signer',
    codecs: codec,
    width: spec.style.width,
    height: spec.style.height,
    frameRate: FRAMES_PER_SECOND,
    bandwidth: peakRate(view),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011"${attributes({
      ...times,
      minBufferTime: period(target),
      maxSegmentDuration: period(target),
    })}>`,
    '<Period id="0" start="PT0S">',
    '<AdaptationSet contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">',
    `<Representation${representation}>`,
    `<SegmentTemplate${template}>`,
    '<SegmentTimeline>',
    ...timeline(segments),
    '</SegmentTimeline>',
    '</SegmentTemplate>',
    '</Representation>',
    '</AdaptationSet>',
    '</Period>',
    ...(hasEnded ? [] : [`<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="${wall}"/>`]),
    '</MPD>',
    '',
  ].join('\n');
}

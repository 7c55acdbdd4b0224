// Which stretch of a track is to be shown (ISO 14496-12, 8.6.6). Policy: only what one shift can say. An edit without
// media in front delays the video against a sound that is left out anyway, so it is let go; a film of several edits, or
// one at another speed, is unsupported.
import { readUint64 } from './boxes.ts';
import { support } from './remux-error.ts';
import { expectRow } from './sample.ts';

/** In ticks of the track; the end is exclusive and may be infinite. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const NO_MEDIA = -1;
const NORMAL_SPEED = 0x10000;

/** @param ticks of the track to one of the film, whose clock the lengths of edits are told in */
export function shownStretch(elst: DataView | undefined, ticks: number): Stretch {
  let shown: Stretch | null = null;
  const count = elst?.getUint32(4) ?? 0;
  const wide = elst?.getUint8(0) === 1;
  for (let i = 0, at = 8; elst && i < count; i++, at += wide ? 20 : 12) {
    expectRow(i);
    const time = at + (wide ? 8 : 4);
    const start = wide && elst.getInt32(time) >= 0 ? readUint64(elst, time) : elst.getInt32(time);
    if (start === NO_MEDIA) continue;
    support(
      !shown && start >= 0 && elst.getUint32(time + (wide ? 8 : 4)) === NORMAL_SPEED,
      'such a list of edits',
    );
    const length = wide ? readUint64(elst, at) : elst.getUint32(at);
    // An edit of no length lasts to the end: nothing else was known when it was written.
    shown = { start, end: length ? start + length * ticks : Infinity };
  }
  return shown ?? { start: -Infinity, end: Infinity };
}

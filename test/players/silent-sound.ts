// Adds a track of silence to the fragmented MP4 of the sandbox, whose streams have no sound.
// - AAC-LC, mono, 48 kHz (ISO 14496-3): one access unit, again and again.
import { box } from '../sandbox/live/source/boxes.ts';

const RATE = 48_000;
const SAMPLES_PER_UNIT = 1024;
/** Ticks a second of the sandbox's video. */
const VIDEO_TIMESCALE = 90_000;

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** An access unit of silence. */
const unit = bytes('00c800802380');
const TRACK = 2;

/** Its decoder configuration is `1188`. */
const descriptor = bytes('031900020004114015' + '000000'.padEnd(22, '0') + '05021188' + '060102');

function silentTrack(): Buffer {
  const entry = box(
    'mp4a',
    bytes(`0000000000000001${'00'.repeat(8)}00010010`),
    0,
    bytes('bb800000'),
    box('esds', 0, descriptor),
  );
  const tables = [box('stts', 0, 0), box('stsc', 0, 0), box('stco', 0, 0), box('stsz', 0, 0, 0)];
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
  return box(
    'trak',
    box('tkhd', 3, 0, 0, TRACK, 0, 0, 0, 0, 0, 0x01000000, ...matrix, 0, 0),
    box(
      'mdia',
      box('mdhd', 0, 0, 0, RATE, 0, 0x55c40000),
      box('hdlr', 0, 0, Buffer.from('soun'), 0, 0, 0, Buffer.alloc(1)),
      box(
        'minf',
        box('smhd', 0, 0),
        box('dinf', box('dref', 0, 1, box('url ', 1))),
        box('stbl', box('stsd', 0, 1, entry), ...tables),
      ),
    ),
  );
}

/** An initialisation segment with one more track. */
export function initWithSound(init: Buffer): Buffer {
  const [moov, mvex] = [init.indexOf('moov') - 4, init.indexOf('mvex') - 4];
  const end = mvex + init.readUInt32BE(mvex);
  const [track, extended] = [silentTrack(), box('trex', 0, TRACK, 1, 0, 0, 0)];
  const added = Buffer.concat([
    init.subarray(0, mvex),
    track,
    init.subarray(mvex, end),
    extended,
    init.subarray(end),
  ]);
  added.writeUInt32BE(init.readUInt32BE(moov) + track.length + extended.length, moov);
  added.writeUInt32BE(init.readUInt32BE(mvex) + extended.length, mvex + track.length);
  return added;
}

/** A segment with sound of the same length, from its first frame on. */
export function segmentWithSound(segment: Buffer, seconds: number): Buffer {
  const start = Number(segment.readBigUInt64BE(segment.indexOf('tfdt') + 8)) / VIDEO_TIMESCALE;
  const unitAt = (second: number): number => Math.ceil((second * RATE) / SAMPLES_PER_UNIT);
  const first = unitAt(start);
  const count = unitAt(start + seconds) - first;
  const fragment = (offset: number): Buffer =>
    box(
      'moof',
      box('mfhd', 0, 1),
      box(
        'traf',
        box('tfhd', 0x020018, TRACK, SAMPLES_PER_UNIT, unit.length),
        box('tfdt', 0x01000000, 0, first * SAMPLES_PER_UNIT),
        box('trun', 1, count, offset),
      ),
    );
  const media = Buffer.concat(Array.from({ length: count }, () => unit));
  return Buffer.concat([segment, fragment(fragment(0).length + 8), box('mdat', media)]);
}

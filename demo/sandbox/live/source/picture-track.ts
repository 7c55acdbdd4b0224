// The pictures of a source, as they come: their times, which of them can be begun with, and what is said of them in the end.
// Policy: a key frame is one that a player may begin with, an IDR picture or a recovery point; IDR pictures are told apart,
// because a source may have one only. Times come in decode order and are sorted before anything is said of a rate.
import { EncodedPacketSink, type InputTrack } from 'mediabunny';
import { unitsOf } from '../../media/nal-units.ts';
import type { VideoFacts } from './source-facts.ts';

const IDR = 5;
/** Frames of a constant rate may be written this much, in seconds, off their times. */
const JITTER_SECONDS = 0.0025;

const profiles: Readonly<Partial<Record<number, string>>> = {
  66: 'Baseline',
  77: 'Main',
  88: 'Extended',
  100: 'High',
  110: 'High 10',
  122: 'High 4:2:2',
  244: 'High 4:4:4',
};
/** Whether a sample holds an IDR picture, behind start codes or behind lengths of four bytes. */
function isIdr(sample: Uint8Array, hasLengths: boolean): boolean {
  if (!hasLengths) return [...unitsOf(sample)].some((unit) => (unit[0]! & 31) === IDR);
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  for (let at = 0; at + 4 < sample.length; at += 4 + view.getUint32(at)) {
    if ((sample[at + 4]! & 31) === IDR) return true;
  }
  return false;
}

/** Longest time between two of these moments, the first and the last one included. */
const longestGap = (moments: readonly number[], from: number, to: number): number =>
  [...moments, to].reduce(
    ({ last, most }, moment) => ({ last: moment, most: Math.max(most, moment - last) }),
    { last: from, most: 0 },
  ).most;

const rising = (a: number, b: number): number => a - b;

/** Everything that was seen of one track of pictures. */
export class PictureTrack {
  readonly #codec: string;
  readonly #parameters: string;
  readonly #width: number;
  readonly #height: number;
  readonly #times: number[] = [];
  readonly #keys: number[] = [];
  readonly #idrs: number[] = [];
  #isAligned = true;

  constructor(codec: string, parameters: string, width: number, height: number) {
    this.#codec = codec;
    this.#parameters = parameters;
    this.#width = width;
    this.#height = height;
  }

  async add(track: InputTrack, hasLengths: boolean): Promise<void> {
    let isFirst = true;
    for await (const { timestamp, type, data } of new EncodedPacketSink(track).packets()) {
      this.#times.push(timestamp);
      if (isFirst && type !== 'key') this.#isAligned = false;
      isFirst = false;
      if (type !== 'key') continue;
      this.#keys.push(timestamp);
      if (this.#codec === 'h264' && isIdr(data, hasLengths)) this.#idrs.push(timestamp);
    }
  }

  facts(): VideoFacts {
    const times = [...this.#times].sort(rising);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const steps = times.slice(1).map((time, at) => time - times[at]!);
    const usual = [...steps].sort(rising)[Math.floor(steps.length / 2)] ?? 0;
    const [, profile, level] = /^avc1\.(..)..(..)$/i.exec(this.#parameters) ?? [];
    return {
      codec: this.#codec,
      profile:
        profile === undefined
          ? null
          : (profiles[parseInt(profile, 16)] ?? `profile ${parseInt(profile, 16)}`),
      level: level === undefined ? null : parseInt(level, 16) / 10,
      width: this.#width,
      height: this.#height,
      frameRate: last > first ? (times.length - 1) / (last - first) : null,
      isConstantRate: steps.every((step) => Math.abs(step - usual) <= JITTER_SECONDS),
      gopSeconds: longestGap(this.#keys.sort(rising), first, last + usual),
      idrSeconds: longestGap(this.#idrs.sort(rising), first, last + usual),
      isAligned: this.#isAligned,
    };
  }
}

// Probes the segments of a source in order, and reports their properties.
// - Mediabunny reads them in a process of its own. Mediabunny is JavaScript, so hostile bytes can only cause errors, or cost time
//   and memory.
// - Nothing is decoded, and only the bytes of the first segment are kept.
// - A key frame is an IDR picture or a recovery point; IDR pictures are also counted separately, because a source may have only
//   one.
// - Times come in decode order and are sorted before a rate is calculated.
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import { unitsOf } from '../../media/nal-units.ts';
import type { AudioFacts, SourceFacts, VideoFacts } from './source-contract.ts';
import { otherVideoOf } from './ts-streams.ts';

const IDR = 5;
/** Seconds by which the time of a frame may differ from a constant rate. */
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

/** True when a sample contains an IDR picture, after start codes or after lengths of four bytes. */
function isIdr(sample: Uint8Array, hasLengths: boolean): boolean {
  if (!hasLengths) return [...unitsOf(sample)].some((unit) => (unit[0]! & 31) === IDR);
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  for (let at = 0; at + 4 < sample.length; at += 4 + view.getUint32(at)) {
    if ((sample[at + 4]! & 31) === IDR) return true;
  }
  return false;
}

/** The longest time without one of these moments, between `from` and `to`. */
const longestGap = (moments: readonly number[], from: number, to: number): number =>
  [...moments, to].reduce(
    ({ last, most }, moment) => ({ last: moment, most: Math.max(most, moment - last) }),
    { last: from, most: 0 },
  ).most;

const rising = (a: number, b: number): number => a - b;

/** Collects the properties of one video track. */
class PictureTrack {
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

const aacProfiles: Readonly<Partial<Record<string, string>>> = {
  'mp4a.40.2': 'AAC-LC',
  'mp4a.40.5': 'HE-AAC',
  'mp4a.40.29': 'HE-AAC v2',
};

/** Sample entries of encrypted tracks (ISO/IEC 14496-12). */
const encryptedEntries = ['encv', 'enca'];

type Container = SourceFacts['container'];

/** The container, from the first bytes and not from the file name. */
function containerOf(bytes: Uint8Array): Container {
  if (bytes[0] === 0x47 && (bytes.length === 188 || bytes[188] === 0x47)) return 'mpeg-ts';
  const box = Buffer.from(bytes.subarray(4, 8)).toString('latin1');
  return ['ftyp', 'styp', 'moof', 'sidx', 'emsg', 'prft', 'moov'].includes(box) ? 'fmp4' : 'unknown';
}

/** The properties of a source, read from its media. */
export type SeenSource = Omit<SourceFacts, 'hlsVersion'>;

/** A segment to probe. */
export interface ProbedSegment {
  readonly bytes: Uint8Array;
  /** Its initialisation section, null when it has none. */
  readonly init: Uint8Array | null;
  readonly seconds: number;
}

/** The properties known after a segment; null when its container is unknown. */
export type ProbeReport = SeenSource | null;

/** Probes the segments in order. When a segment cannot be read, the error of the reader is thrown. */
export class MediaProbe {
  /** Whether an initialisation section declares encrypted tracks. */
  #isEncrypted = false;
  #container: Container | null = null;
  #first: Input | null = null;
  #pictures: PictureTrack | null = null;
  #otherVideo: string | null = null;
  #sound: { codec: string; profile: string | null; bytes: number; seconds: number } | null = null;

  get seen(): SeenSource {
    return {
      container: this.#container ?? 'unknown',
      isEncrypted: this.#isEncrypted,
      video: this.#video,
      audio: this.#audio,
    };
  }

  /** Probes the next segment. `init` is its initialisation section, null when it has none. */
  async add(bytes: Uint8Array, init: Uint8Array | null, seconds: number): Promise<void> {
    this.#container ??= containerOf(bytes);
    if (init && encryptedEntries.some((entry) => Buffer.from(init).includes(entry))) this.#isEncrypted = true;
    const start = init ? inputOf(init, null) : this.#first;
    const input = inputOf(bytes, start);
    if (this.#container === 'mpeg-ts') {
      this.#first ??= input;
      this.#otherVideo ??= otherVideoOf(bytes);
    }
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (video) {
      const codec = await video.getCodec();
      this.#pictures ??= new PictureTrack(
        codec === 'avc' ? 'h264' : (codec ?? 'unknown'),
        (await video.getCodecParameterString()) ?? '',
        await video.getCodedWidth(),
        await video.getCodedHeight(),
      );
      const config = codec === 'avc' ? await video.getDecoderConfig() : null;
      await this.#pictures.add(video, config?.description !== undefined);
    }
    if (audio) {
      this.#sound ??= {
        codec: (await audio.getCodec()) ?? 'unknown',
        profile: aacProfiles[(await audio.getCodecParameterString()) ?? ''] ?? null,
        bytes: 0,
        seconds: 0,
      };
      for await (const { byteLength } of new EncodedPacketSink(audio).packets())
        this.#sound.bytes += byteLength;
      this.#sound.seconds += seconds;
    }
  }

  get #video(): VideoFacts | null {
    if (this.#pictures) return this.#pictures.facts();
    if (this.#otherVideo === null) return null;
    const nothing = {
      profile: null,
      level: null,
      width: 0,
      height: 0,
      frameRate: null,
      gopSeconds: 0,
      idrSeconds: 0,
    };
    return { codec: this.#otherVideo, ...nothing, isConstantRate: true, isAligned: true };
  }

  get #audio(): AudioFacts | null {
    if (!this.#sound) return null;
    const { codec, profile, bytes, seconds } = this.#sound;
    return { codec, profile, bitsPerSecond: (bytes * 8) / seconds };
  }
}

const inputOf = (bytes: Uint8Array, initInput: Input | null): Input =>
  new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS, ...(initInput && { initInput }) });

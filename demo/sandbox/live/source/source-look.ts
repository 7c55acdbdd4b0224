// Looks at the segments of a source, one after the other, and says what they are. Policy: read by mediabunny, which is
// JavaScript: whatever bytes a source sends, the worst is an error, time or memory, so it is done in a process of its own;
// nothing is decoded and no segment's bytes are kept but the first's.
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { PictureTrack } from './picture-track.ts';
import type { AudioFacts, SourceFacts, VideoFacts } from './source-facts.ts';
import { otherVideoOf } from './ts-streams.ts';

const aacProfiles: Readonly<Partial<Record<string, string>>> = {
  'mp4a.40.2': 'AAC-LC',
  'mp4a.40.5': 'HE-AAC',
  'mp4a.40.29': 'HE-AAC v2',
};

/** Sample entries of encrypted tracks (ISO/IEC 14496-12). */
const encryptedEntries = ['encv', 'enca'];

type Container = SourceFacts['container'];

/** By its first bytes, whatever its name says. */
function containerOf(bytes: Uint8Array): Container {
  if (bytes[0] === 0x47 && (bytes.length === 188 || bytes[188] === 0x47)) return 'mpeg-ts';
  const box = Buffer.from(bytes.subarray(4, 8)).toString('latin1');
  return ['ftyp', 'styp', 'moof', 'sidx', 'emsg', 'prft', 'moov'].includes(box) ? 'fmp4' : 'unknown';
}

/** What is seen of a source in its media. */
export type SeenSource = Omit<SourceFacts, 'hlsVersion'>;

/** What a row of segments holds. Segments whose bytes cannot be read throw whatever the reader throws. */
export class SourceLook {
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

  /** Looks at one more segment. `init` is its initialisation section, null when it has none. */
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

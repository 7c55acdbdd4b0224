// A sound track in which nothing is heard: AAC-LC, 48 kHz, one channel.
// - All its packets are the same 6 bytes: one channel without a scale factor (ISO 14496-3, 4.4.2.1).
import { EncodedAudioPacketSource, EncodedPacket } from 'mediabunny';

const SAMPLE_RATE = 48_000;
/** Samples of one packet. */
const PACKET_SAMPLES = 1024;
const PACKET = Uint8Array.of(0x00, 0xc8, 0x00, 0x80, 0x23, 0x80);
/** AudioSpecificConfig: object type 2, frequency index 3, one channel (ISO 14496-3, 1.6.2.1). */
const DESCRIPTION = Uint8Array.of(0x11, 0x88);

const decoderConfig = {
  codec: 'mp4a.40.2',
  sampleRate: SAMPLE_RATE,
  numberOfChannels: 1,
  description: DESCRIPTION,
};

export class SilentSound {
  readonly source = new EncodedAudioPacketSource('aac');
  #written = 0;

  /** Adds whole packets until the track reaches this second. */
  async fillTo(seconds: number): Promise<void> {
    const length = PACKET_SAMPLES / SAMPLE_RATE;
    for (; (this.#written + 1) * length <= seconds; this.#written++) {
      const packet = new EncodedPacket(PACKET, 'key', this.#written * length, length);
      await this.source.add(packet, { decoderConfig });
    }
  }
}

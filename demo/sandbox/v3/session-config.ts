// Checks the configuration of a session (document 3, session.start) and applies it.
// - Defaults are resolved first; then signer and language must fit each other (document 2).
// - The letter case of the signer does not matter; the answer has the canonical one. Every other value must be exact.
// - The value of `hls` is not read: the document does not show its fields.
// - The value that is "fixed per signer" (document 3, config fields) is the frame rate here.
import type { SessionStartFrame } from './client-frames.ts';
import { frameSizes, type Encoding, type MediaSpec, type Resolution } from '../media/media-spec.ts';
import { ownBackplate } from '../painter/render-style.ts';
import type { StreamSpec } from '../streams/stream-spec.ts';
import type { SignerName } from '../painter/figure.ts';
import { languageOf, signerNames, signs, type Language } from '../signers.ts';

/** `session.ready.config_applied`. */
export interface AppliedConfig {
  /** `mp4` in translate mode, `hls` in stream mode. No mode has another choice. */
  readonly output_format: 'mp4' | 'hls';
  readonly digital_signer: SignerName;
  readonly language: Language;
  readonly resolution: Resolution;
}

const formats = { translate: 'mp4', stream: 'hls' } as const;

/** The configuration that applies, or the reason of a refusal. */
export function applyConfig({
  mode,
  config,
}: SessionStartFrame): AppliedConfig | { readonly problem: string } {
  const name = config.digital_signer.toUpperCase();
  const signer = signerNames.find((known) => known === name);
  if (!signer) return { problem: `config.digital_signer: one of ${signerNames.join(', ')}` };
  const language = config.language ?? 'BSL';
  if (!signs(signer, language)) {
    return { problem: `config.language: ${signer} signs ${languageOf(signer)}, not ${language}` };
  }
  const format = formats[mode];
  if (config.output_format !== undefined && config.output_format !== format) {
    return { problem: `config.output_format: ${mode} mode gives ${format}` };
  }
  return {
    output_format: format,
    digital_signer: signer,
    language,
    resolution: config.resolution ?? '720p',
  };
}

/** Clips of ASL signers have the frame rate of North American cameras. All others have 25 frames a second. */
const frameRateOf = ({ language }: AppliedConfig): Encoding =>
  language === 'ASL' ? { frames_per_second: 30_000 / 1001 } : {};

/** The MP4 of a text in this configuration. */
export const clipOf = (text: string, config: AppliedConfig, encoding: Encoding | null): MediaSpec => ({
  text,
  seconds: null,
  style: ownBackplate(config.digital_signer, frameSizes[config.resolution]),
  codec: encoding?.entry === 'hev1' ? 'h265' : 'h264',
  container: 'mp4',
  bitsPerSecond: null,
  segmentSeconds: null,
  encoding: { ...frameRateOf(config), ...encoding },
});

/** The stream of a session in this configuration: LL-HLS with segments of 2 s. */
export const streamOf = ({ digital_signer, resolution }: AppliedConfig): StreamSpec => ({
  style: ownBackplate(digital_signer, frameSizes[resolution]),
  codec: 'h264',
  bitsPerSecond: null,
  segmentSeconds: 2,
  segmentType: 'fmp4',
  lowLatency: true,
  kind: 'ongoing',
});

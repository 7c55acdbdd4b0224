// Which session configurations this account may have (document 3, session.start) and how they are applied.
// Policy: defaults are resolved first, then signer and language must fit each other (document 2); the signer's letter
// case does not matter and comes back canonical, every other value must be exact.
import type { SessionStartFrame } from '../../../src/protocol/client-frames.ts';
import type { Resolution } from '../media/clip.ts';
import type { SignerName } from '../painter/signer-look.ts';

/** `session.ready.config_applied`. */
export interface AppliedConfig {
  readonly output_format: 'mp4';
  readonly digital_signer: SignerName;
  readonly language: 'BSL' | 'ASL';
  readonly resolution: Resolution;
}

/** The account's signers and what each signs. */
const signers: Readonly<Record<SignerName, 'BSL' | 'ASL'>> = { RAE: 'BSL', JAY: 'ASL', MAX: 'ASL' };

/** The configuration in force, or in words why it cannot be. */
export function applyConfig({
  mode,
  config,
}: SessionStartFrame): AppliedConfig | { readonly problem: string } {
  if (mode === 'stream') return { problem: 'mode: this sandbox does not have stream mode yet' };
  const name = config.digital_signer.toUpperCase();
  if (!Object.hasOwn(signers, name)) {
    return { problem: `config.digital_signer: one of ${Object.keys(signers).join(', ')}` };
  }
  const signer = name as SignerName;
  const language = config.language ?? 'BSL';
  if (signers[signer] !== language) {
    return { problem: `config.language: ${signer} signs ${signers[signer]}, not ${language}` };
  }
  if (config.output_format === 'hls') {
    return { problem: 'config.output_format: translate mode gives mp4' };
  }
  return {
    output_format: 'mp4',
    digital_signer: signer,
    language,
    resolution: config.resolution ?? '720p',
  };
}

// The logo of a request (document 2, delivery.config logo).
// - It is fetched by capped-fetch.ts and has at most 1 MB. Its first bytes, not its Content-Type, must be those of PNG, JPEG or
//   WebP.
// - It is rendered in one small frame before the answer. So a logo that cannot be fetched or is no picture gives a 400, even when
//   the answer comes before the media.
import { CappedFetchError, fetchCapped } from '../capped-fetch.ts';
import type { SandboxClock } from '../clock.ts';
import { LogoError, type MediaSpec } from '../media/media-spec.ts';
import { ownBackplate, type Logo } from '../painter/render-style.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';
import type { GenerateRequest } from './generate-request.ts';
import { renderMedia, type TranslationDeps } from './translation-media.ts';

const MOST_BYTES = 1_000_000;

function isPicture(file: Buffer): boolean {
  const starts = (bytes: string, at = 0): boolean => file.toString('latin1', at, at + bytes.length) === bytes;
  return starts('\x89PNG\r\n\x1a\n') || starts('\xff\xd8\xff') || (starts('RIFF') && starts('WEBP', 8));
}

/** The bytes of the picture at `url`. @throws CappedFetchError */
export async function fetchLogo(url: string, clock: SandboxClock): Promise<Uint8Array> {
  const { bytes } = await fetchCapped(url, { clock, mostBytes: MOST_BYTES });
  if (!isPicture(bytes)) throw new CappedFetchError('is no PNG, JPEG or WebP');
  return bytes;
}

const ONE_FRAME = 1 / FRAMES_PER_SECOND;

/** One frame of 320 by 180 with the logo. */
const trialOf = (logo: Logo): MediaSpec => ({
  text: null,
  seconds: ONE_FRAME,
  style: { ...ownBackplate('RAE', { width: 320, height: 180 }), wordPanel: false, logo },
  codec: 'h264',
  container: 'mp4',
  bitsPerSecond: null,
  segmentSeconds: null,
});

/** The logo; null when the request names none; or a message that says why it cannot be used. @throws FlatError 500 */
export async function logoOf(
  { output }: GenerateRequest,
  deps: TranslationDeps,
): Promise<Logo | null | { readonly problem: string }> {
  const options = output.delivery.config?.logo;
  if (!options) return null;
  const { url, position, size = 'medium' } = options;
  try {
    const logo = { file: await fetchLogo(url, deps.clock), position, size };
    await renderMedia(deps, trialOf(logo));
    return logo;
  } catch (error) {
    if (!(error instanceof CappedFetchError || error instanceof LogoError)) throw error;
    return { problem: `output.delivery.config.logo.url: ${error.message}` };
  }
}

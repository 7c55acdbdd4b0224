// The logo of a request (document 2, delivery.config logo). Policy: fetched and shown in one small frame before anything is
// answered, so that one that cannot be had or is no picture is the request's 400, even where the answer comes before the
// media.
import { CappedFetchError } from '../capped-fetch.ts';
import { LogoError, type MediaSpec } from '../media/media-spec.ts';
import type { Logo } from '../painter/render-style.ts';
import type { GenerateRequest } from './generate-fields.ts';
import { fetchLogo } from './logo-fetch.ts';
import { made, type TranslationSurroundings } from './surroundings.ts';

const ONE_FRAME = 1 / 25;

/** One frame of 320 by 180 with the logo. */
const trialOf = (logo: Logo): MediaSpec => ({
  text: null,
  seconds: ONE_FRAME,
  style: {
    signer: 'RAE',
    width: 320,
    height: 180,
    backdrop: null,
    signerSize: 'large',
    wordPanel: false,
    subtitles: false,
    fit: 'fill',
    logo,
  },
  codec: 'h264',
  container: 'mp4',
  bitsPerSecond: null,
  segmentSeconds: null,
});

/** The logo, null when the request names none, or in words why there can be none. @throws FlatError 500 */
export async function logoOf(
  { output }: GenerateRequest,
  around: TranslationSurroundings,
): Promise<Logo | null | { readonly problem: string }> {
  const asked = output.delivery.config?.logo;
  if (!asked) return null;
  const { url, position, size = 'medium' } = asked;
  try {
    const logo = { file: await fetchLogo(url, around.clock), position, size };
    await made(around, trialOf(logo));
    return logo;
  } catch (error) {
    if (!(error instanceof CappedFetchError || error instanceof LogoError)) throw error;
    return { problem: `output.delivery.config.logo.url: ${error.message}` };
  }
}

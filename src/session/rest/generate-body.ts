// What an element asks for, as the body of a translation request (document 2, Translation request).
// - Translate mode is one MP4 to download, stream mode an LL-HLS stream.
// - What the session's config leaves open is left to the service.
// - The page's own options win, but never over the text and the kind of answer that the session waits for.
import type { SessionConfig, SessionMode } from '../../protocol/client-frames.ts';
import type { GenerateRequest } from '../../protocol/translation.ts';

const APPLICATION = 'sign-elements';

const sizes = { '480p': '854x480', '720p': '1280x720', '1080p': '1920x1080' } as const;

/** How texts are to be signed. */
export interface TextOptions {
  readonly mode: SessionMode;
  /** As for a V3 session: signer, language and resolution are taken over. */
  readonly config: SessionConfig;
  /** `#RRGGBB`; anything else leaves the service's own backplate. */
  readonly background?: string | null | undefined;
  /**
   * Part of a translation request in the service's own names: `content` (`duration`), `output.delivery.config`, `context`
   * (`location`; `application` is `sign-elements` unless it says otherwise). What else it holds is ignored.
   */
  readonly generateOptions?: Readonly<Record<string, unknown>> | null | undefined;
}

export function generateBody(
  text: string,
  { mode, config, background, generateOptions }: TextOptions,
): GenerateRequest {
  const { digital_signer: signer, language, resolution } = config;
  const isStream = mode === 'stream';
  const isColour = /^#[0-9a-f]{6}$/i.test(background ?? '');
  return {
    content: { ...objectAt(generateOptions, 'content'), type: 'text', data: text },
    output: {
      format: isStream ? 'hls' : 'mp4',
      delivery: {
        method: isStream ? 'stream' : 'download',
        config: {
          digitalSigner: documented(signer),
          ...(language && { language }),
          ...(resolution && { resolution: sizes[resolution] }),
          ...(background && isColour && { backgroundColor: background }),
          ...(isStream && { lowLatencyMode: true }),
          ...objectAt(generateOptions, 'output', 'delivery', 'config'),
        },
      },
    },
    context: { application: APPLICATION, ...objectAt(generateOptions, 'context') },
  };
}

/** Plain JavaScript may hand over anything: what is no object adds nothing. */
function objectAt(root: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  let value = root;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? value : {};
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The three signers that document 2 names are spelt as it spells them: only V3 promises to overlook the case. */
const documented = (signer: string): string =>
  /^(rae|jay|max)$/i.test(signer) ? signer.toUpperCase() : signer;

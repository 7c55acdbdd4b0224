// What the translation routes need of the rest of the sandbox: rendered media and signed addresses of them.
// - A failure gives a 500 that says whether rendering or signing the URL failed (document 2, Per endpoint 400 conditions), without
//   internal details.
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import type { FieldNames, SandboxLimits } from '../settings.ts';
import { EncodeError, LogoError, type MediaSpec, type OnStage } from '../media/media-spec.ts';
import type { LiveStream } from '../streams/stream-service.ts';
import type { StreamSpec } from '../streams/stream-spec.ts';
import { FlatError } from './flat-error.ts';

/** Finished media as far as they concern these routes. */
export interface FinishedMedia {
  /** In their order; each path is on the media origin, unsigned. */
  readonly files: readonly { readonly path: string }[];
  readonly durationSeconds: number;
}

export interface TranslationDeps {
  readonly clock: SandboxClock;
  readonly faults: FaultsInForce;
  /** The limits now in force. */
  readonly limits: () => SandboxLimits;
  /** The current names of fields that the document does not show. */
  readonly names: () => FieldNames;
  readonly apiKey: string;
  /** Makes a new string of 32 hex digits at each call. */
  readonly newHex: () => string;
  /** Rejects with an EncodeError when the media cannot be made. */
  readonly mediaOf: (spec: MediaSpec, onStage: OnStage) => Promise<FinishedMedia>;
  /** The address of a path of the media origin, valid until `expires` (milliseconds since 1970). */
  readonly urlOf: (path: string, expires: number) => string;
  readonly streams: {
    /** @throws StreamsFull */
    open(spec: StreamSpec): Pick<LiveStream, 'hlsUrl' | 'dashUrl' | 'sign' | 'end' | 'ended'>;
  };
}

/** Resolves when the media are rendered. @throws FlatError 500 `media_failed`; LogoError, which is a mistake of the request */
export async function renderMedia({ mediaOf }: TranslationDeps, spec: MediaSpec): Promise<FinishedMedia> {
  try {
    return await mediaOf(spec, () => {});
  } catch (error) {
    if (!(error instanceof EncodeError) || error instanceof LogoError) throw error;
    throw new FlatError(500, 'media_failed', 'the media could not be made');
  }
}

/** Addresses of files, valid from now for the lifetime of a media URL. @throws FlatError 500 `presign_failed` */
export function signUrls(
  { clock, limits, urlOf }: TranslationDeps,
  files: FinishedMedia['files'],
): { readonly urls: readonly string[]; readonly expires: number } {
  const expires = clock.now() + limits().url_lifetime_seconds * 1000;
  try {
    return { urls: files.map(({ path }) => urlOf(path, expires)), expires };
  } catch (error) {
    console.error(error);
    throw new FlatError(500, 'presign_failed', 'the address of the media could not be signed');
  }
}

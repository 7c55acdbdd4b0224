// What the translation routes need of the rest of the sandbox: rendered media and signed addresses of them.
// - A failure of either is a 500 that says which (document 2, per endpoint 400 conditions: media processing, URL presigning) and
//   nothing of what is inside.
import type { SandboxClock } from '../clock.ts';
import type { FaultsInForce } from '../faults.ts';
import type { FieldNames, SandboxLimits } from '../settings.ts';
import { EncodeError, LogoError, type MediaSpec, type OnStage } from '../media/media-spec.ts';
import type { LiveStream, StreamSpec } from '../streams/stream-service.ts';
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
  /** The names now in force of fields that the document does not show. */
  readonly names: () => FieldNames;
  readonly apiKey: string;
  /** A source of strings of 32 hex digits, none like the one before. */
  readonly chance: () => string;
  /** Rejects with an EncodeError when the media cannot be made. */
  readonly mediaOf: (spec: MediaSpec, onStage: OnStage) => Promise<FinishedMedia>;
  /** The address under which a path of the media origin can be had until `expires` (milliseconds since 1970). */
  readonly urlOf: (path: string, expires: number) => string;
  readonly streams: {
    /** @throws StreamsFull */
    open(spec: StreamSpec): Pick<LiveStream, 'hlsUrl' | 'dashUrl' | 'sign' | 'end' | 'ended'>;
  };
}

/** The media, when they are there. @throws FlatError 500 `media_failed`; LogoError as it is: the request is to blame */
export async function renderMedia({ mediaOf }: TranslationDeps, spec: MediaSpec): Promise<FinishedMedia> {
  try {
    return await mediaOf(spec, () => {});
  } catch (error) {
    if (!(error instanceof EncodeError) || error instanceof LogoError) throw error;
    throw new FlatError(500, 'media_failed', 'the media could not be made');
  }
}

/** Addresses of files, from now on valid as long as a media URL lives. @throws FlatError 500 `presign_failed` */
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

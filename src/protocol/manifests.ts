// The manifests of a stream: of `session.ready` in stream mode (document 3, names not shown), of a translation request
// and of a live session (document 2, `manifests`). Policy: the shown names and their like first, see find-url.ts.
import { findUrl } from './find-url.ts';

/** Signed addresses of one stream; null where the service gave none. */
export interface StreamManifests {
  readonly hls: string | null;
  readonly dash: string | null;
}

const hlsNames = ['manifests.hls', 'manifest_url', 'manifestUrl', 'hls_url', 'hlsUrl', 'hls'];
const dashNames = ['manifests.dash', 'dash_url', 'dashUrl', 'dash'];

/** Null when the answer names no manifest at all. */
export function findManifests(answer: unknown): StreamManifests | null {
  const hls = findUrl(answer, 'hls', hlsNames);
  const dash = findUrl(answer, 'dash', dashNames);
  return hls === null && dash === null ? null : { hls, dash };
}

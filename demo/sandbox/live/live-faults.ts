// The documented refusals of creating a session that the sandbox has no cause of its own for, or that are hard to bring
// about: by a fault. Policy: a code happens to the requests that could meet it only, so that one fault can be set for a
// source type and leave the others be.
import type { FaultsInForce } from '../faults.ts';
import { LiveError, type LiveErrorCode } from './live-error.ts';
import type { LiveRequest } from './live-request.ts';

const pulls = ({ sourceType }: LiveRequest): boolean => sourceType === 'HLS_PULL';
const always = (): boolean => true;

const concerns: Readonly<Record<LiveErrorCode, (request: LiveRequest) => boolean>> = {
  BAD_REQUEST: always,
  NOT_FOUND: always,
  HLS_INPUT_UNREACHABLE: pulls,
  HLS_INPUT_MALFORMED: pulls,
  HLS_INPUT_INCOMPATIBLE: pulls,
  HLS_INPUT_NORMALIZE_CAPACITY: pulls,
  PICTURE_IN_PICTURE_UNSUPPORTED_FOR_SOURCE: ({ pictureInPicture }) => pictureInPicture,
  MEDIA_LIVE_NOT_CONFIGURED: always,
  SRT_RELAY_NOT_CONFIGURED: ({ sourceType }) => sourceType === 'SRT_PUSH',
  RTMP_ENDPOINT_UNREACHABLE: ({ sourceType }) => sourceType === 'RTMP_PUSH',
};

/** The refusal that a fault in force orders for this request; null when there is none. */
export function orderedFailure(faults: FaultsInForce, request: LiveRequest): LiveError | null {
  const fault = faults.take('live_error', ({ code }) => concerns[code](request));
  return fault && new LiveError(fault.code, 'asked for by a fault');
}

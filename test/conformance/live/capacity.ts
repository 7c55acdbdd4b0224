// The answer when the service has no capacity left to encode a source again (document 2, HLS_INPUT_NORMALIZE_CAPACITY).
import assert from 'node:assert/strict';
import type { Answer } from '../http.ts';
import { assertLive } from './api.ts';

/** With this fault the sandbox has no capacity for any source that must be encoded again. */
export const noCapacity = { fault: 'limits', limits: { live_normalizations: 0 } } as const;

export function assertBusy(answer: Answer): void {
  const { code, type } = assertLive(answer, 503);
  assert.deepEqual([code, type], ['HLS_INPUT_NORMALIZE_CAPACITY', 'SERVICE_UNAVAILABLE']);
  assert.equal(answer.headers.get('retry-after'), '30');
}

// The answer to a source for which there is no capacity to encode it anew (document 2, HLS_INPUT_NORMALIZE_CAPACITY).
import assert from 'node:assert/strict';
import type { Answer } from '../http.ts';
import { assertLive } from './api.ts';

/** Makes the sandbox answer so to every source that it would have to encode anew. */
export const noCapacity = { fault: 'limits', limits: { live_normalizations: 0 } } as const;

export function assertBusy(answer: Answer): void {
  const { code, type } = assertLive(answer, 503);
  assert.deepEqual([code, type], ['HLS_INPUT_NORMALIZE_CAPACITY', 'SERVICE_UNAVAILABLE']);
  assert.equal(answer.headers.get('retry-after'), '30');
}

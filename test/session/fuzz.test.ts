// The session under 3,100 random schedules.
// - `npm run fuzz:session` runs more, and repeats a failed one by the seed and path that were printed.
// - Fuzz-model.ts plays them. The rules are in fuzz-rules.ts; those for the client's side of the protocol are in fuzz-service.ts
//   and fuzz-socket.ts.
import test from 'node:test';
import fc from 'fast-check';
import { properties } from './fuzz-properties.ts';

test('under any faults each text is signed once or fails once, within the service’s limits, and nothing is left', () =>
  fc.assert(properties.anything, { numRuns: 2_300 }));

test('no text is lost by drops, frozen sockets, slowness, sleep or being offline', () =>
  fc.assert(properties.gentle, { numRuns: 800 }));

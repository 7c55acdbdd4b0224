// The session against 3,100 schedules drawn at random; `npm run fuzz:session` draws more, and replays one that failed by the
// seed and path that are told. What must hold is spelled out in fuzz-model.ts and, for the client's side of the protocol,
// in fuzz-service.ts and fuzz-socket.ts.
import test from 'node:test';
import fc from 'fast-check';
import { properties } from './fuzz-properties.ts';

test('whatever happens, each text is signed once or fails once, within the service’s limits, and nothing is left', () =>
  fc.assert(properties.anything, { numRuns: 2_300 }));

test('no text is lost by drops, frozen sockets, slowness, sleep or being offline', () =>
  fc.assert(properties.gentle, { numRuns: 800 }));

// Every state of a live session with every event, and what a client is told of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  after,
  externalStatus,
  type SessionEvent,
  type SessionState,
} from '../../../demo/sandbox/live/live-session.ts';
import { eachCase } from '../each-case.ts';

const events = ['provisioned', 'arrived', 'left', 'stop', 'over', 'failed'] as const satisfies SessionEvent[];

/** Where each event leads, in the order of `events`; `-` where it has no effect. */
const expected: Readonly<Record<SessionState, string>> = {
  INITIALIZING: 'PENDING RUNNING - STOPPING STOPPED FAILED',
  PENDING: '- RUNNING - STOPPING STOPPED FAILED',
  RUNNING: '- - PENDING STOPPING STOPPED FAILED',
  STOPPING: '- - - - STOPPED FAILED',
  STOPPED: '- - - - - -',
  FAILED: '- - - - - -',
};
test('each state goes where its row says', () =>
  eachCase(Object.entries(expected) as [SessionState, string][], ([state, row]) => {
    assert.equal(events.map((event) => after(state, event) ?? '-').join(' '), row);
  }));

test('a client hears active until it stops, finalizing while it does, and ended for both ends', () => {
  assert.deepEqual(externalStatus, {
    INITIALIZING: 'active',
    PENDING: 'active',
    RUNNING: 'active',
    STOPPING: 'finalizing',
    STOPPED: 'ended',
    FAILED: 'ended',
  });
});

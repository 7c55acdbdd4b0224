// Every state of a live session with every event, and the status that a client reads.
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
test('each event leads from each state to the state in the table', () =>
  eachCase(Object.entries(expected) as [SessionState, string][], ([state, row]) => {
    assert.equal(events.map((event) => after(state, event) ?? '-').join(' '), row);
  }));

test('a client reads active before the stop, finalizing during it, and ended after STOPPED and FAILED', () => {
  assert.deepEqual(externalStatus, {
    INITIALIZING: 'active',
    PENDING: 'active',
    RUNNING: 'active',
    STOPPING: 'finalizing',
    STOPPED: 'ended',
    FAILED: 'ended',
  });
});

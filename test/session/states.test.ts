// The transition table: which state may follow which.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { SessionState } from '../../src/session/session-types.ts';
import { transitions } from '../../src/session/transports/transport-connection.ts';

const states = Object.keys(transitions) as SessionState[];

test('every state is in the table, reconnecting included', () => {
  assert.deepEqual(states, ['idle', 'connecting', 'ready', 'reconnecting', 'finalizing', 'ended', 'failed']);
});

test('no step leads out of the table', () => {
  const targets = states.flatMap((state) => Object.values(transitions[state]));
  assert.deepEqual(
    targets.filter((target) => !states.includes(target)),
    [],
  );
});

test('a session opens from idle, ended and failed only', () => {
  assert.deepEqual(
    states.filter((state) => transitions[state].open),
    ['idle', 'ended', 'failed'],
  );
});

test('in every state in which a session can be lost, another session or none can follow', () => {
  const losable = states.filter((state) => transitions[state].failed);
  assert.deepEqual(losable, ['connecting', 'ready', 'reconnecting']);
  assert.deepEqual(
    losable.map((state) => transitions[state].lost ?? state),
    ['reconnecting', 'reconnecting', 'reconnecting'],
  );
});

test('reconnecting is followed by ready, failed or the states of end()', () => {
  assert.deepEqual(transitions.reconnecting, {
    ready: 'ready',
    failed: 'failed',
    end: 'ended',
    closed: 'ended',
  });
});

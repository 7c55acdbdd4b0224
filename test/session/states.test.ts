// The transition table: what can follow what.
import assert from 'node:assert/strict';
import test from 'node:test';
import { transitions, type SessionState } from '../../src/session/states.ts';

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

test('it opens from idle, ended and failed only', () => {
  assert.deepEqual(
    states.filter((state) => transitions[state].open),
    ['idle', 'ended', 'failed'],
  );
});

test('a session that goes unasked has failed, one that was asked to go has ended', () => {
  assert.deepEqual(
    states.map((state) => transitions[state].closed),
    [undefined, 'failed', 'failed', 'failed', 'ended', undefined, undefined],
  );
});

// Document 3, States and transitions, up to the first session: which frames a new socket accepts and which it refuses.
import assert from 'node:assert/strict';
import { free, type Case } from '../case.ts';
import { assertError } from './error-codes.ts';
import type { Frame } from '../socket.ts';

const tooEarly: readonly (readonly [what: string, message: Frame, ref: string])[] = [
  ['a text', { type: 'text', id: 'early', data: 'Hello' }, 'early'],
  ['a result.fetch', { type: 'result.fetch', id: 'early' }, 'early'],
  ['a session.end', { type: 'session.end' }, ''],
];

export const connection: readonly Case[] = [
  free(
    'a socket opened without a header of its own is answered session.ready',
    ['3.no-headers', '3.version', '3.json-frames'],
    async (service) => {
      const socket = await service.connect();
      await socket.start();
    },
  ),
  ...tooEarly.map(([what, message]) =>
    free(
      `${what} before session.start is session_not_started, and the session can still be started`,
      ['3.start-first', '3.stays-connected', '3.code.session_not_started', '3.error.ref'],
      async (service) => {
        const socket = await service.connect();
        const error = await socket.send(message).nextOf('error');
        assertError(error, 'session_not_started', '');
        await socket.start();
      },
    ),
  ),
  free('a socket that drops and comes back has a new session', ['3.ready.new-session'], async (service) => {
    const first = await service.connect();
    const before = await first.start();
    first.break();
    const after = await (await service.connect()).start();
    assert.notEqual(after['session_id'], before['session_id']);
  }),
];

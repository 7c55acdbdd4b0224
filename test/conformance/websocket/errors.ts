// Document 3, Errors: messages that every service refuses, and the errors of its pipeline, which only a sandbox can stage.
import assert from 'node:assert/strict';
import { free, staged, type Case } from '../case.ts';
import { assertError, errorCodes, type ErrorCode } from './error-codes.ts';

const wrong: readonly (readonly [what: string, message: object | string, code: ErrorCode, ref: string])[] = [
  ['a frame that is no JSON', '{"type":', 'invalid_message', ''],
  ['a message of an unknown type', { type: 'text.edit' }, 'invalid_message', ''],
  ['a message without a type', {}, 'invalid_message', ''],
  ['a text with an unknown field', { type: 'text', id: 'a', data: 'x', colour: 1 }, 'unknown_field', 'a'],
  ['a session.end with an unknown field', { type: 'session.end', why: 'tired' }, 'unknown_field', ''],
];

/** Errors after text.ack, with the wait in seconds where the document names one. */
const pipeline = {
  internal_error: null,
  gloss_timeout: 30,
  gloss_unavailable: 30,
  render_failed: null,
  render_timeout: null,
  encode_failed: null,
} as const satisfies Partial<Record<ErrorCode, number | null>>;

export const errors: readonly Case[] = [
  ...wrong.map(([what, message, code, ref]) =>
    free(
      `${what} is ${code} and the session goes on`,
      [`3.code.${code}`, '3.error.shape', '3.error.message-goes-on', '3.error.ref'],
      async (service) => {
        const socket = await service.connect();
        await socket.start();
        assertError(await socket.send(message).nextOf('error'), code, ref);
        await socket.send({ type: 'session.end' }).nextOf('session.summary');
      },
    ),
  ),
  ...(Object.keys(pipeline) as (keyof typeof pipeline)[]).map((code) => {
    const [, severity, retryable] = errorCodes[code];
    const after = severity === 'session' ? 'ends the session' : 'does not end the session';
    const again = retryable ? 'may be sent again' : 'may not be sent again';
    return staged(
      `${code} ${after}, and its text ${again}`,
      [
        `3.code.${code}`,
        '3.error.shape',
        ...(severity === 'session'
          ? (['3.error.session-ends'] as const)
          : (['3.error.message-goes-on'] as const)),
        ...(retryable && severity === 'message' ? (['3.error.resend'] as const) : []),
      ],
      async (service) => {
        service.set({ fault: 'error', code, count: 1 });
        const socket = await service.connect();
        await socket.start();
        let error = await socket.text('a', 'Yes').next();
        if (error.type === 'text.ack') error = await socket.next();
        const wait = assertError(error, code, 'a');
        if (pipeline[code] !== null) assert.equal(wait, pipeline[code]);
        if (severity === 'session') return socket.closed();
        if (retryable) await socket.sign('a', 'Yes');
        else await socket.sign('b', 'Yes');
      },
    );
  }),
];

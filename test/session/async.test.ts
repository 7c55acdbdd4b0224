// Adding and removing listeners of an emitter.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import test from 'node:test';
import { promisify } from 'node:util';
import { Emitter } from '../../src/session/async.ts';

interface Events {
  news: number;
}

test('removing a listener twice is harmless, and removes that listener only', () => {
  const emitter = new Emitter<Events>();
  const heard: number[] = [];
  const listener = (detail: number) => heard.push(detail);
  const off = emitter.on('news', listener);
  emitter.on('news', listener);
  off();
  off();
  emitter.emit('news', 1);
  assert.deepEqual(heard, [1]);
});

test('a listener that is added or removed during an event counts from the next event', () => {
  const emitter = new Emitter<Events>();
  const heard: string[] = [];
  emitter.on('news', () => {
    off();
    emitter.on('news', () => heard.push('added'));
  });
  const off = emitter.on('news', () => heard.push('removed'));
  emitter.emit('news', 1);
  assert.deepEqual(heard, ['removed']);
  emitter.emit('news', 2);
  assert.deepEqual(heard, ['removed', 'added']);
});

test('an aborted signal removes the listener, also when it was aborted before', () => {
  const emitter = new Emitter<Events>();
  const heard: number[] = [];
  const stop = new AbortController();
  emitter.on('news', (detail) => heard.push(detail), { signal: stop.signal });
  emitter.on('news', (detail) => heard.push(-detail), { signal: AbortSignal.abort() });
  emitter.emit('news', 1);
  stop.abort();
  emitter.emit('news', 2);
  assert.deepEqual(heard, [1]);
});

test('a removed listener leaves nothing on its signal', () => {
  const { signal } = new AbortController();
  const off = new Emitter<Events>().on('news', () => {}, { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  off();
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('an error of a listener goes to reportError, and the other listeners are called', (t) => {
  const reported: unknown[] = [];
  Reflect.set(globalThis, 'reportError', (error: unknown) => reported.push(error));
  t.after(() => Reflect.deleteProperty(globalThis, 'reportError'));
  const emitter = new Emitter<Events>();
  const failure = new Error('a listener of the page');
  const heard: number[] = [];
  emitter.on('news', () => {
    throw failure;
  });
  emitter.on('news', (detail) => heard.push(detail));
  emitter.emit('news', 1);
  assert.deepEqual(reported, [failure]);
  assert.deepEqual(heard, [1]);
});

test('without reportError, an error of a listener is an uncaught exception, after the other listeners were called', async () => {
  const source = `
    import { Emitter } from './src/session/async.ts';
    process.on('uncaughtException', (error) => console.log('uncaught', error.message));
    const emitter = new Emitter();
    emitter.on('news', () => { throw new Error('of the page'); });
    emitter.on('news', () => console.log('heard'));
    emitter.emit('news', 1);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', source],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  assert.deepEqual(stdout.trim().split('\n'), ['heard', 'uncaught of the page']);
});

// The React component as a page's own TypeScript sees it. A mistake in this file does not compile.
import assert from 'node:assert/strict';
import test from 'node:test';
import { createElement, createRef } from 'react';
import type { SignTranslate as SignTranslateElement } from '../../src/index.ts';
import { SignTranslate } from '../../src/react.ts';

test('the component takes properties, event props with their detail, and a ref to the element', () => {
  const refs: string[] = [];
  const ref = createRef<SignTranslateElement>();
  const { props } = createElement(SignTranslate, {
    ref,
    signer: 'JAY',
    controls: true,
    resolution: undefined,
    className: 'beside',
    onSignStart: ({ detail }) => refs.push(detail.ref),
  });
  props.onSignStart?.(new CustomEvent('sign-start', { detail: { ref: 'one', text: 'Hello' } }));
  assert.deepEqual(refs, ['one']);
  assert.equal(props.signer, 'JAY');
});

test('the component refuses what the element does not have', () => {
  // @ts-expect-error a mode is one of two words
  assert.ok(createElement(SignTranslate, { mode: 'sing' }));
  // @ts-expect-error `paused` is read-only
  assert.ok(createElement(SignTranslate, { paused: true }));
  // @ts-expect-error a method is no prop
  assert.ok(createElement(SignTranslate, { sign: async () => {} }));
  // @ts-expect-error a start carries no URL
  assert.ok(createElement(SignTranslate, { onSignStart: ({ detail }) => detail.url }));
});

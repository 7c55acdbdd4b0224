// Reads an error frame as the session does.
import assert from 'node:assert/strict';
import { parseServerFrame, type ErrorFrame } from '../../../src/protocol/server-frames.ts';

export function errorOf(frame: string): ErrorFrame {
  const parsed = parseServerFrame(frame);
  assert.equal(parsed.kind, 'frame');
  assert.ok(parsed.kind === 'frame' && parsed.frame.type === 'error');
  return parsed.frame as ErrorFrame;
}

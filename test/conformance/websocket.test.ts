// The conformance cases of document 3, section by section.
import test from 'node:test';
import { held } from './hold.ts';
import { websocketCases } from './websocket/index.ts';

for (const [name, options, run] of held(3, websocketCases)) test(name, options, run);

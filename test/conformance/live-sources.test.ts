// The conformance cases on the sources of live sessions (document 2). They have a process of their own beside the other live
// cases, because each of them makes sources and waits for sessions.
import test from 'node:test';
import { held } from './hold.ts';
import { sourceContract } from './live/source-contract.ts';

for (const [name, options, run] of held(2, sourceContract)) test(name, options, run);

// What document 2 asks of a source of a live session, held to its sentences, section by section. Each case makes sources and waits
// for sessions, so these cases have a process of their own beside the others of the live half.
import test from 'node:test';
import { held } from './hold.ts';
import { sourceContract } from './live/source-contract.ts';

for (const [name, options, run] of held(2, sourceContract)) test(name, options, run);

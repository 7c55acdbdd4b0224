// The live half of document 2, held to its sentences, section by section.
import test from 'node:test';
import { held } from './hold.ts';
import { liveCases } from './live/index.ts';

for (const [name, options, run] of held(2, liveCases)) test(name, options, run);

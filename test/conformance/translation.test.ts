// The conformance cases of document 2, without its live half, section by section.
import test from 'node:test';
import { held } from './hold.ts';
import { translationCases } from './translation/index.ts';

for (const [name, options, run] of held(2, translationCases)) test(name, options, run);

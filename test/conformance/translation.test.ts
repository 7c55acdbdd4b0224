// Document 2, without its live half, held to its sentences, section by section.
import test from 'node:test';
import { held } from './hold.ts';
import { translationCases } from './translation/index.ts';

for (const [name, options, run] of held(2, translationCases)) test(name, options, run);

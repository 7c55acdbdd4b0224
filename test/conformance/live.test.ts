// The conformance cases of the live half of document 2, without its sources (live-sources.test.ts), section by section.
import test from 'node:test';
import { held } from './hold.ts';
import { liveCases } from './live/index.ts';
import { sourceContract } from './live/source-contract.ts';

const cases = liveCases.filter((one) => !sourceContract.includes(one));
for (const [name, options, run] of held(2, cases)) test(name, options, run);

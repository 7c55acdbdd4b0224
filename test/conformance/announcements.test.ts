// The conformance cases of document 1, section by section.
import test from 'node:test';
import { announcementCases } from './announcements/index.ts';
import { held } from './hold.ts';

for (const [name, options, run] of held(1, announcementCases)) test(name, options, run);

// All cases of document 2 without its live half.
import type { Case } from '../case.ts';
import { access } from './access.ts';
import { downloads } from './downloads.ts';
import { jobs } from './jobs.ts';
import { refusals } from './refusals.ts';
import { silenceCases } from './silence.ts';
import { streams } from './streams.ts';

export const translationCases: readonly Case[] = [
  ...access,
  ...refusals,
  ...downloads,
  ...streams,
  ...jobs,
  ...silenceCases,
];

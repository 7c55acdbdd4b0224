// All cases of document 2's live half.
import type { Case } from '../case.ts';
import { refusals } from './refusals.ts';
import { listedSessions } from './listed-sessions.ts';
import { pulledSessions } from './pulled-sessions.ts';
import { pushedSessions } from './pushed-sessions.ts';
import { sourceContract } from './source-contract.ts';

export const liveCases: readonly Case[] = [
  ...refusals,
  ...pushedSessions,
  ...listedSessions,
  ...pulledSessions,
  ...sourceContract,
];

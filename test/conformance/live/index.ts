// All cases of document 2's live half.
import type { Case } from '../case.ts';
import { refusals } from './refusals.ts';
import { sessions } from './sessions.ts';
import { sourceContract } from './source-contract.ts';

export const liveCases: readonly Case[] = [...refusals, ...sessions, ...sourceContract];

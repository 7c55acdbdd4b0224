// All cases of document 1. The requests that only have to be accepted come last, so that nothing waits for their videos.
import type { Case } from '../case.ts';
import { fields } from './fields.ts';
import { rate } from './rate.ts';
import { token } from './token.ts';
import { videos } from './videos.ts';

export const announcementCases: readonly Case[] = [...token, ...videos, ...rate, ...fields];

// All cases of document 3.
import type { Case } from '../case.ts';
import { connection } from './connection.ts';
import { ending } from './ending.ts';
import { errors } from './errors.ts';
import { fetching } from './fetching.ts';
import { limits } from './limits.ts';
import { start } from './start.ts';
import { stream } from './stream.ts';
import { texts } from './texts.ts';

export const websocketCases: readonly Case[] = [
  ...connection,
  ...start,
  ...texts,
  ...fetching,
  ...ending,
  ...limits,
  ...errors,
  ...stream,
];

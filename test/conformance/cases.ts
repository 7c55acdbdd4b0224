// All cases by document, and the test file that runs the cases of each.
import { announcementCases } from './announcements/index.ts';
import type { Case } from './case.ts';
import type { DocumentNumber } from './sentences/index.ts';
import { liveCases } from './live/index.ts';
import { translationCases } from './translation/index.ts';
import { websocketCases } from './websocket/index.ts';

export const casesOf: Readonly<Record<DocumentNumber, readonly Case[]>> = {
  1: announcementCases,
  2: [...translationCases, ...liveCases],
  3: websocketCases,
};

export const documents = [1, 2, 3] as const satisfies readonly DocumentNumber[];

// All rows of the three documents.
// - An id is in one place only.
// - The compiler refuses a test that names an id which is not here.
import { announcements } from './announcements.ts';
import { live } from './live.ts';
import type { Sections } from './sections.ts';
import { translation } from './translation.ts';
import { websocket } from './websocket.ts';

const documents = { 1: announcements, 2: { ...translation, ...live }, 3: websocket } as const;

export type DocumentNumber = keyof typeof documents;
type IdsOf<S> = S extends unknown ? { [K in keyof S]: keyof S[K] }[keyof S] : never;
export type SentenceId = IdsOf<(typeof documents)[DocumentNumber]>;

export const titles: Readonly<Record<DocumentNumber, string>> = {
  1: 'Train announcements',
  2: 'Text translation, silence and live sessions',
  3: 'WebSocket V3',
};

export interface Sentence {
  readonly document: DocumentNumber;
  readonly section: string;
  readonly id: SentenceId;
  readonly says: string;
}

const rowsOf = (document: DocumentNumber, sections: Sections): Sentence[] =>
  Object.entries(sections).flatMap(([section, rows]) =>
    Object.entries(rows).map(([id, says]) => ({ document, section, id: id as SentenceId, says })),
  );

export const sentences: readonly Sentence[] = ([1, 2, 3] as const).flatMap((number) =>
  rowsOf(number, documents[number]),
);

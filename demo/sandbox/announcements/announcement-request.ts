// The body of a submit, read (document 1, Announcement request). Policy: one refusal names everything that is wrong at
// once; a field that the tables do not have is wrong, too. `destination` is required even where it is not spoken: the
// document's default, KGX, is what a client fills in that has none, not what the service does. A static message
// overrides the other fields, which must be right all the same, but may contradict each other.
import * as z from 'zod/mini';
import { announcementFields, isFieldName, type FieldName, type FieldValues } from './announcement-fields.ts';
import { contradictions } from './combinations.ts';

const MOST_PROBLEMS = 50;

/** What an announcement says. Fields that were not given are absent; empty times and platforms are null. */
export type Announcement = Partial<FieldValues> & Pick<FieldValues, 'destination'>;

/** A body that is no announcement request; `message` is the errorLog. */
export class AnnouncementRefused extends Error {
  override readonly name = 'AnnouncementRefused';

  constructor(problems: readonly string[]) {
    super(problems.slice(0, MOST_PROBLEMS).join('; '));
  }
}

const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** @throws AnnouncementRefused */
export function readAnnouncement(body: unknown): Announcement {
  if (!isObject(body)) throw new AnnouncementRefused(['body: a JSON object']);
  const problems: string[] = [];
  const values: Partial<Record<FieldName, unknown>> = {};
  for (const [name, given] of Object.entries(body)) {
    if (!isFieldName(name)) {
      problems.push(`${name.slice(0, 40)}: unknown field`);
      continue;
    }
    const parsed = z.safeParse(announcementFields[name], given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name}: ${parsed.error.issues[0]!.message}`);
  }
  if (!Object.hasOwn(body, 'destination')) problems.push('destination: missing, it is required');
  const understood = values as Partial<FieldValues>;
  const says = (name: FieldName): boolean =>
    Object.hasOwn(body, name) && body[name] !== '' && body[name] !== 'false' && body[name] !== false;
  if (!says('staticMessage')) problems.push(...contradictions(says, understood));
  if (problems.length > 0) throw new AnnouncementRefused(problems);
  return understood as Announcement;
}

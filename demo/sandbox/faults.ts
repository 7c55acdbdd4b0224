// The faults in force, and the parser of a list of faults.
// - A fault is in force until the list is replaced or, with a `count`, until it has happened that often.
// - The first fault that matches applies.
import * as z from 'zod/mini';
import { faultSchema, faultTable, type Fault } from './fault-table.ts';
import { inWords } from './in-words.ts';

const faultListSchema = z.array(faultSchema).check(z.maxLength(100));

type Named<K extends Fault['fault']> = Extract<Fault, { fault: K }>;

/** A list of faults that is not valid; `problems` names each mistake and its place. */
export class FaultListError extends Error {
  override readonly name = 'FaultListError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** @throws FaultListError */
export function parseFaults(list: unknown): Fault[] {
  const parsed = z.safeParse(faultListSchema, list, inWords);
  if (parsed.success) return parsed.data;
  throw new FaultListError(
    parsed.error.issues.slice(0, 20).map(({ path, message }) => `${path.join('.') || 'list'}: ${message}`),
  );
}

/** The possible faults as data: the name, description and JSON Schema of each. */
export const faultMenu = Object.entries(faultTable).map(([fault, { about, schema }]) => ({
  fault,
  about,
  schema: z.toJSONSchema(schema),
}));

/** The faults in force. */
export class FaultsInForce {
  #faults: { readonly fault: Fault; left: number }[] = [];

  replace(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({
      fault,
      left: 'count' in fault && fault.count ? fault.count : Infinity,
    }));
  }

  get list(): readonly Fault[] {
    return this.#faults.map(({ fault }) => fault);
  }

  /** The first fault of this name that matches, or null. It counts as having happened once more. */
  take<K extends Fault['fault']>(name: K, fits: (fault: Named<K>) => boolean = () => true): Named<K> | null {
    const found = this.#faults.find((entry) => entry.fault.fault === name && fits(entry.fault as Named<K>));
    if (!found) return null;
    found.left -= 1;
    if (found.left === 0) this.#faults = this.#faults.filter((entry) => entry !== found);
    return found.fault as Named<K>;
  }
}

/** Matches faults of the `ordinal`-th text of a session. */
export const ofText =
  (ordinal: number) =>
  (fault: { readonly text?: number | undefined }): boolean =>
    fault.text === undefined || fault.text === ordinal;

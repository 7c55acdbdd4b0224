// Everything that can be made to go wrong on purpose: one table, read by the control route (which lists it as data) and
// checked against whatever is asked for. Policy: a fault stays in force until the list is replaced or, with a `count`,
// until it has happened that often; the first that fits applies. `text` counts the texts of one session from 1.
import * as z from 'zod/mini';
import { serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import { inWords } from './in-words.ts';
import { limitsSchema } from './limits.ts';

const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const count = z.optional(whole(1, 1_000_000));
const text = z.optional(whole(1, 1_000_000));
const codes = Object.keys(serviceErrors) as ServiceErrorCode[];

/** What each fault does, in words, and the object that asks for it. */
export const faultTable = {
  latency: {
    about: 'results come this many milliseconds after they are ready',
    schema: z.strictObject({ fault: z.literal('latency'), ms: whole(0, 3_600_000), text, count }),
  },
  drop_socket: {
    about:
      'the socket breaks off, with no closing handshake, after the server has sent this many frames on it',
    schema: z.strictObject({ fault: z.literal('drop_socket'), after_frames: whole(1, 1_000_000), count }),
  },
  silence: {
    about: 'an accepted text gets no text.ack, no result, or neither',
    schema: z.strictObject({
      fault: z.literal('silence'),
      of: z.enum(['ack', 'result', 'both']),
      text,
      count,
    }),
  },
  error: {
    about:
      'a text is answered with this error, its stage, severity and retryable as documented: instead of text.ack when the ' +
      'stage is core, after text.ack when the pipeline fails; the session ends when the severity says so; retry_after_seconds as given, else as documented (rate_limited: 1)',
    schema: z.strictObject({
      fault: z.literal('error'),
      code: z.enum(codes),
      retry_after_seconds: z.optional(z.number().check(z.minimum(0), z.maximum(3600))),
      text,
      count,
    }),
  },
  malformed_frame: {
    about: 'in place of a result comes a frame that is not JSON, or a result whose fields are wrong',
    schema: z.strictObject({
      fault: z.literal('malformed_frame'),
      shape: z.enum(['not_json', 'wrong_fields']),
      text,
      count,
    }),
  },
  unknown_frame: {
    about: 'before a result comes a frame of a type that the protocol does not name',
    schema: z.strictObject({ fault: z.literal('unknown_frame'), text, count }),
  },
  media_refused: {
    about: 'a rightly signed media URL answers 403',
    schema: z.strictObject({ fault: z.literal('media_refused'), count }),
  },
  media_not_video: {
    about: 'a rightly signed media URL answers 200 with an HTML page',
    schema: z.strictObject({ fault: z.literal('media_not_video'), count }),
  },
  limits: {
    about: 'these limits hold instead of the configured ones while the fault is in force',
    schema: z.strictObject({ fault: z.literal('limits'), limits: limitsSchema }),
  },
  advance_clock: {
    about: 'puts the clock forward once, when it is asked for',
    schema: z.strictObject({ fault: z.literal('advance_clock'), seconds: whole(1, 366 * 24 * 3600) }),
  },
} as const;

const faultSchema = z.discriminatedUnion('fault', [
  faultTable.latency.schema,
  faultTable.drop_socket.schema,
  faultTable.silence.schema,
  faultTable.error.schema,
  faultTable.malformed_frame.schema,
  faultTable.unknown_frame.schema,
  faultTable.media_refused.schema,
  faultTable.media_not_video.schema,
  faultTable.limits.schema,
  faultTable.advance_clock.schema,
]);

const faultListSchema = z.array(faultSchema).check(z.maxLength(100));

export type Fault = z.infer<typeof faultSchema>;
type Named<K extends Fault['fault']> = Extract<Fault, { fault: K }>;

/** A list of faults that cannot be; `problems` says what is wrong where. */
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

/** What can be asked for, as data: name, words and JSON Schema of each. */
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

  /** The first fault of this name that fits, which has then happened once more; null when there is none. */
  take<K extends Fault['fault']>(name: K, fits: (fault: Named<K>) => boolean = () => true): Named<K> | null {
    const found = this.#faults.find((entry) => entry.fault.fault === name && fits(entry.fault as Named<K>));
    if (!found) return null;
    found.left -= 1;
    if (found.left === 0) this.#faults = this.#faults.filter((entry) => entry !== found);
    return found.fault as Named<K>;
  }
}

/** Fits a fault to the `ordinal`-th text of a session. */
export const ofText =
  (ordinal: number) =>
  (fault: { readonly text?: number | undefined }): boolean =>
    fault.text === undefined || fault.text === ordinal;

// What the proxy itself asks of a translation request (document 2, Translation request; SEMANTICS, generate). Policy: a
// page pays with nothing but text, so the text is bounded; `display` and `push`, which reach beyond the page, are the
// operator's; addresses in the options (the logo's) have to be public ones. Every other field is the service's to judge,
// unknown ones too; but a name that a rule depends on has to be written as documented, for a service that reads `Method`
// as `method` would obey what we did not see.
import * as z from 'zod/mini';
import { invalidFields, type FieldProblem } from './json-body.ts';

/** @returns what of it has further rules. @throws ProblemError naming every field that is wrong */
export type JudgeGenerate = (body: unknown) => {
  /** Whether the request needs the operator's token. */
  readonly isForOperator: boolean;
  /** `output.delivery`, for the addresses in it. */
  readonly delivery: unknown;
};

const operatorMethods: readonly string[] = ['display', 'push'];

interface Names {
  readonly [name: string]: Names;
}
const ruled: Names = {
  content: { data: {} },
  output: { delivery: { method: {}, config: { logo: { url: {} } } } },
};

function writtenOtherwise(value: unknown, names: Names, path: readonly string[]): readonly FieldProblem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const field = [...path, key];
    const deeper = Object.hasOwn(names, key) ? names[key] : undefined;
    if (deeper) return writtenOtherwise(item, deeper, field);
    const name = Object.keys(names).find((known) => known === key.trim().toLowerCase());
    return name === undefined ? [] : [{ field: field.join('.'), message: `must be written ${name}` }];
  });
}

export function generateJudge(maxTextBytes: number): JudgeGenerate {
  const text = z
    .string('must be a text')
    .check(
      z.refine((value) => Buffer.byteLength(value) <= maxTextBytes, `must be at most ${maxTextBytes} bytes`),
    );
  const object = 'must be an object';
  const schema = z.looseObject(
    {
      content: z.looseObject({ data: text }, object),
      output: z.optional(
        z.looseObject(
          {
            delivery: z.optional(z.looseObject({ method: z.optional(z.string('must be a text')) }, object)),
          },
          object,
        ),
      ),
    },
    object,
  );
  return (body) => {
    const parsed = z.safeParse(schema, body);
    const issues = parsed.error?.issues ?? [];
    const problems = [
      ...issues.map(({ path, message }) => ({ field: path.join('.'), message })),
      ...writtenOtherwise(body, ruled, []),
    ];
    if (!parsed.success || problems.length > 0) throw invalidFields(problems);
    const delivery = parsed.data.output?.delivery;
    // However it is written: what the service forgives must not pass here.
    const method = delivery?.method?.trim().toLowerCase() ?? '';
    return { isForOperator: operatorMethods.includes(method), delivery };
  };
}

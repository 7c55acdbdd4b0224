// The proxy's error answers: `application/problem+json` (RFC 9457) with a stable `code`.
// - Page and proxy share this one schema, so that the page shows the code that the proxy names.
import * as z from 'zod/mini';

export const PROBLEM_TYPE = 'application/problem+json';

export const problemSchema = z.looseObject({
  code: z.string(),
  title: z.optional(z.string()),
  status: z.optional(z.number().check(z.refine(Number.isSafeInteger))),
  detail: z.optional(z.string()),
});

export type Problem = z.infer<typeof problemSchema> & { title: string };

/** The body of such an answer, null when it is not one. */
export function parseProblem(body: unknown): Problem | null {
  const parsed = z.safeParse(problemSchema, body);
  return parsed.success ? { ...parsed.data, title: parsed.data.title ?? '' } : null;
}

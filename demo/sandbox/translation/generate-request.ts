// The body of `POST /v2/generate` and `POST /v1/generate` (document 2, Translation request): its fields (generate-fields.ts)
// and the rules between them. Policy: everything that is wrong is named at once; null is no value.
import * as z from 'zod/mini';
import { inWords } from '../in-words.ts';
import { canHold } from '../media/media-spec.ts';
import { generateFields, type GenerateRequest } from './generate-fields.ts';
import { codecOf, containerOf, isTransparent } from './media-choice.ts';
import { signs } from '../signers.ts';

const MOST_PROBLEMS = 50;

const CONFIG = 'output.delivery.config';

/** Whether one of the two paths is the other or leads to it. */
const meet = (wrong: readonly PropertyKey[], field: string): boolean => {
  const path = field.split('.');
  return wrong.every((key, i) => path[i] === undefined || path[i] === key);
};

/** A rule between the fields `of`, looked at when none of them is wrong by itself. */
const rule = (
  of: readonly string[],
  path: string,
  error: string,
  fits: (request: GenerateRequest) => boolean,
) =>
  z.refine<GenerateRequest>(fits, {
    error,
    path: path.split('.'),
    when: ({ issues }) => !issues.some((issue) => of.some((field) => meet(issue.path ?? [], field))),
  });

const request = generateFields.check(
  rule(
    ['output.delivery.method', `${CONFIG}.screenId`, 'context.screenId'],
    `${CONFIG}.screenId`,
    'required when output.delivery.method is display',
    ({ output: { delivery }, context: { screenId } }) =>
      delivery.method !== 'display' || (delivery.config?.screenId ?? screenId) !== undefined,
  ),
  rule(
    [`${CONFIG}.digitalSigner`, `${CONFIG}.language`],
    `${CONFIG}.language`,
    'must be the language that digitalSigner signs',
    ({ output }) => {
      const { digitalSigner, language } = output.delivery.config ?? {};
      return digitalSigner === undefined || language === undefined || signs(digitalSigner, language);
    },
  ),
  rule(
    [
      'output.format',
      ...['codec', 'exportType', 'hlsSegmentType', 'backgroundColor'].map((name) => `${CONFIG}.${name}`),
    ],
    `${CONFIG}.codec`,
    'cannot be held by the format asked for',
    ({ output }) => canHold(containerOf(output), codecOf(output), isTransparent(output)),
  ),
);

/** The request that a body is, or in words every field of it that is wrong. */
export function parseGenerateRequest(body: unknown): GenerateRequest | { readonly problem: string } {
  const parsed = z.safeParse(request, body, inWords);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  return {
    problem: issues
      .slice(0, MOST_PROBLEMS)
      .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
      .join('; '),
  };
}

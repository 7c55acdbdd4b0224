// zod/mini says only "Invalid input" unless it is given a language: this gives it English, for one call and not for the
// whole process, which other parts of a program share.
import * as z from 'zod/mini';

/** Third argument of `z.safeParse` where a person reads what is wrong. */
export const inWords = { error: z.locales.en().localeError };

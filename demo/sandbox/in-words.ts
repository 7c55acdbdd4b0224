// English messages for zod/mini, which says only "Invalid input" without a language.
// - They are given to one call and not set for the whole process, which other parts of a program share.
import * as z from 'zod/mini';

/** Third argument of `z.safeParse` where a person reads what is wrong. */
export const inWords = { error: z.locales.en().localeError };

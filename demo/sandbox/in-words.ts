// English messages for zod/mini, which says only "Invalid input" without a language.
// - They are passed with each call, not set for the whole process, because other code uses zod too.
import * as z from 'zod/mini';

/** Third argument of `z.safeParse` where a person reads what is wrong. */
export const inWords = { error: z.locales.en().localeError };

// What a file of sites (SIGN_SITES) may hold. docs/sites.schema.json is generated from this, and a test compares the two.
import * as z from 'zod/mini';

export const FEATURES = ['stream', 'rest', 'announcements', 'live'] as const;
export type Feature = (typeof FEATURES)[number];

const count = z.int().check(z.minimum(1), z.maximum(1_000_000));
const cap = z.int().check(z.minimum(0), z.maximum(999_999_999));
const word = z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits and . _ -'));
/** Without a dot, which ends it in a ticket. */
const keyId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));
/** Without a comma, because the origins are joined by commas for the check of the variable. */
const origin = z.string().check(z.regex(/^[^\s,]+$/));
const path = z.string().check(z.minLength(1));
/** Refuses the name `__proto__`, which a record of zod leaves out without a report. */
const withoutProto = z
  .any()
  .check(z.refine((value) => !Object.hasOwn(Object(value), '__proto__'), { path: ['__proto__'] }));

/** A site that gets requests takes 0.5 MB, and the shipped unit and image have a heap of 320 MB. */
export const MAX_SITES = 300;

const siteSchema = z.strictObject({
  /** Its name in tickets, metrics and logs. */
  name: word,
  origins: z.array(origin).check(z.minLength(1)),
  apiKeyFile: z.optional(path),
  clientId: z.optional(z.string()),
  clientSecretFile: z.optional(path),
  operatorTokenFile: z.optional(path),
  /** Limits of one client address; seconds and characters are caps of the site. The variables of the proxy are the defaults. */
  limits: z.optional(
    z.strictObject({
      sockets: z.optional(count),
      requestsPerMinute: z.optional(count),
      messagesPerMinute: z.optional(count),
      generatesPerMinute: z.optional(count),
      textBytes: z.optional(count),
      dailySeconds: z.optional(cap),
      monthlySeconds: z.optional(cap),
      dailyCharacters: z.optional(cap),
      monthlyCharacters: z.optional(cap),
    }),
  ),
  /** `off` by default. */
  tickets: z.optional(z.enum(['off', 'required'])),
  /** Files of keys that tickets are signed with, by key id. */
  ticketKeyFiles: z.optional(z.pipe(withoutProto, z.record(keyId, path))),
  /** All by default. */
  features: z.optional(z.array(z.enum(FEATURES))),
  /** Any by default. */
  signers: z.optional(z.array(word).check(z.minLength(1))),
  /** The fields of a request's context that pages may send. */
  context: z.optional(z.array(word)),
});

export const sitesSchema = z.strictObject({
  sites: z.array(siteSchema).check(z.minLength(1), z.maxLength(MAX_SITES)),
});

export type SiteEntry = z.infer<typeof siteSchema>;

/** The published schema, which is docs/sites.schema.json. */
export const sitesJsonSchema = (): unknown => z.toJSONSchema(sitesSchema);

// The table of all faults, and of the other choices that can be made while the sandbox runs.
// - The control route lists it as data and checks requests against it.
// - `text` counts the texts of one session from 1. `address` is a part of the media's address. `count` says how often a fault
//   happens before it ends.
import * as z from 'zod/mini';
import { limitsSchema, namesSchema } from './settings.ts';
import { frameOrders } from './media/media-spec.ts';
import { liveErrorCodes } from './live/live-error.ts';
import { serviceErrorCodes } from './v3/service-errors.ts';

const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));
const count = z.optional(whole(1, 1_000_000));
const text = z.optional(whole(1, 1_000_000));
const address = z.optional(z.string().check(z.minLength(1), z.maxLength(1000)));
/** The REST operations that a fault can be limited to. A fault that names none applies to all of them. */
const operations = [
  'token',
  'announce',
  'announcement_status',
  'generate',
  'job_status',
  'silence',
  'live_sessions',
] as const;
export type RestOperation = (typeof operations)[number];
const operation = z.optional(z.enum(operations));

/** Each fault: `about` says in words what it does, `schema` is the object that asks for it. */
export const faultTable = {
  latency: {
    about: 'results come this many milliseconds after they are ready',
    schema: z.strictObject({ fault: z.literal('latency'), ms: whole(0, 3_600_000), text, count }),
  },
  drop_socket: {
    about: 'the socket closes without a closing handshake after the server has sent this many frames on it',
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
      'a text is answered with this error and its documented stage, severity and retryable: instead of text.ack when the ' +
      'stage is core, after text.ack when the pipeline fails; the session ends when the severity is session; retry_after_seconds is as given, else as documented (rate_limited: 1)',
    schema: z.strictObject({
      fault: z.literal('error'),
      code: z.enum(serviceErrorCodes),
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
  encoding: {
    about:
      'clips are encoded differently: order of frames, frames between key frames, number of frames, frame rate, ' +
      'one frame shown longer, a rotated picture, the index behind or in fragments, ticks of a frame, an edit list, ' +
      'chunk offsets of 64 bits, another sample entry, wide pixels, a silent sound track',
    schema: z.strictObject({
      fault: z.literal('encoding'),
      order: z.optional(z.enum(frameOrders)),
      key_every: z.optional(whole(1, 1000)),
      frames: z.optional(whole(1, 10_000)),
      frames_per_second: z.optional(z.number().check(z.minimum(1), z.maximum(60))),
      hold: z.optional(
        z.strictObject({ frame: whole(0, 10_000), seconds: z.number().check(z.minimum(0), z.maximum(60)) }),
      ),
      rotation: z.optional(z.literal([90, 180, 270])),
      index: z.optional(z.enum(['behind', 'fragments'])),
      ticks: z.optional(whole(1, 1_000_000)),
      edit: z.optional(z.enum(['delay', 'empty', 'trimmed'])),
      offsets: z.optional(z.literal('co64')),
      entry: z.optional(z.enum(['avc3', 'hev1'])),
      pixels: z.optional(z.literal('wide')),
      sound: z.optional(
        z.strictObject({
          track: z.enum(['first', 'second']),
          longer_seconds: z.optional(z.number().check(z.minimum(-60), z.maximum(60))),
        }),
      ),
      text,
      count,
    }),
  },
  media_refused: {
    about: 'a media URL with a valid signature answers 403 (with address: only a URL that contains it)',
    schema: z.strictObject({ fault: z.literal('media_refused'), address, count }),
  },
  media_not_video: {
    about: 'a media URL with a valid signature answers 200 with an HTML page',
    schema: z.strictObject({ fault: z.literal('media_not_video'), count }),
  },
  media_error: {
    about: 'a media URL with a valid signature answers with this status, 404, 410 or 500 for example',
    schema: z.strictObject({ fault: z.literal('media_error'), status: whole(400, 599), count }),
  },
  media_expired: {
    about: 'media URLs have already expired when they are issued',
    schema: z.strictObject({ fault: z.literal('media_expired'), count }),
  },
  media_slow: {
    about: 'media comes this many milliseconds late, then at this many bytes a second (one of them, or both)',
    schema: z.strictObject({
      fault: z.literal('media_slow'),
      ms: z.optional(whole(0, 3_600_000)),
      bytes_per_second: z.optional(whole(1, 1_000_000_000)),
      count,
    }),
  },
  media_trickle: {
    about: 'media comes in pieces of this many bytes, each a packet of its own',
    schema: z.strictObject({ fault: z.literal('media_trickle'), bytes: whole(1, 65_536), count }),
  },
  media_cut: {
    about:
      'the connection of media breaks after this many bytes; with stands, no more bytes come and it stays open',
    schema: z.strictObject({
      fault: z.literal('media_cut'),
      after_bytes: whole(0, 1_000_000_000),
      stands: z.optional(z.literal(true)),
      count,
    }),
  },
  media_host: {
    about:
      'the host of the media (with address: only for a URL that contains it) serves no ranges, sends no length, redirects this ' +
      'many times, sends another content type, lets no script of another origin read its answers, or answers 403 without a Referer',
    schema: z.strictObject({
      fault: z.literal('media_host'),
      address,
      ranges: z.optional(z.literal(false)),
      length: z.optional(z.literal(false)),
      redirects: z.optional(whole(1, 20)),
      type: z.optional(z.string().check(z.regex(/^[\w.+-]+\/[\w.+-]+$/))),
      cors: z.optional(z.literal(false)),
      referrer: z.optional(z.literal(true)),
      count,
    }),
  },
  rest_error: {
    about:
      'a REST request is answered with this status in the envelope of its document before it is processed (401 once: count 1); retry_after, in seconds, becomes the header',
    schema: z.strictObject({
      fault: z.literal('rest_error'),
      status: whole(400, 599),
      operation,
      retry_after: z.optional(whole(0, 3600)),
      count,
    }),
  },
  rest_latency: {
    about: 'REST requests wait this many milliseconds before they are processed',
    schema: z.strictObject({ fault: z.literal('rest_latency'), ms: whole(0, 3_600_000), operation, count }),
  },
  rest_silence: {
    about: 'a REST request is never answered',
    schema: z.strictObject({ fault: z.literal('rest_silence'), operation, count }),
  },
  announcement_fails: {
    about: 'an accepted announcement ends in FAILED, with this errorLog',
    schema: z.strictObject({
      fault: z.literal('announcement_fails'),
      error_log: z.optional(z.string().check(z.maxLength(1000))),
      count,
    }),
  },
  job_fails: {
    about: 'a translation job that is polled fails',
    schema: z.strictObject({ fault: z.literal('job_fails'), count }),
  },
  live_error: {
    about:
      'creating a live session is answered with this documented code when the service could answer the request with it (SRT_RELAY_NOT_CONFIGURED: SRT_PUSH only)',
    schema: z.strictObject({ fault: z.literal('live_error'), code: z.enum(liveErrorCodes), count }),
  },
  live_session_fails: {
    about: 'a live session fails with this error when it begins to process its source',
    schema: z.strictObject({
      fault: z.literal('live_session_fails'),
      error: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
      count,
    }),
  },
  names: {
    about: 'fields whose names no document shows have these names while the fault is in force',
    schema: z.strictObject({ fault: z.literal('names'), names: namesSchema }),
  },
  limits: {
    about: 'these limits apply instead of the configured ones while the fault is in force',
    schema: z.strictObject({ fault: z.literal('limits'), limits: limitsSchema }),
  },
  advance_clock: {
    about: 'the clock moves forward once, when the fault is put in force',
    schema: z.strictObject({ fault: z.literal('advance_clock'), seconds: whole(1, 366 * 24 * 3600) }),
  },
} as const;

type FaultSchema = (typeof faultTable)[keyof typeof faultTable]['schema'];

export const faultSchema = z.discriminatedUnion(
  'fault',
  Object.values(faultTable).map(({ schema }) => schema) as [FaultSchema, ...FaultSchema[]],
);

export type Fault = z.infer<typeof faultSchema>;

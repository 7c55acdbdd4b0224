// The translation API as a client uses it: requests built from one small valid request, and the checks that many cases share.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { call, postJson, type Answer } from '../http.ts';
import type { Service } from '../service.ts';
import { fetchVideo, type Video } from '../video.ts';

/** A small resolution, because the cases check what the document says about a video, and not its quality. */
const smallPicture = { resolution: '320x180' } as const;

export interface Options {
  readonly data?: string;
  readonly duration?: number;
  readonly format?: string;
  readonly method?: string;
  readonly config?: object;
  readonly context?: object;
}

/** A valid request; without options, of an MP4 to download. */
export const requestOf = (options: Options = {}) => ({
  content: {
    type: 'text',
    data: options.data ?? 'Hello',
    ...(options.duration === undefined ? {} : { duration: options.duration }),
  },
  output: {
    format: options.format ?? 'mp4',
    delivery: { method: options.method ?? 'download', config: { ...smallPicture, ...options.config } },
  },
  context: { application: 'conformance', ...options.context },
});

/** A copy of a JSON value in which the field at `path` is `value`; undefined takes it out. */
export function changed(source: object, path: string, value: unknown): object {
  const copy = structuredClone(source) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  let at = copy;
  for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

export const withKey = ({ addresses }: Service) => ({ 'X-API-KEY': addresses.apiKey });

type GeneratePath = '/v2/generate' | '/v1/generate';

export const generate = (service: Service, body: unknown, path: GeneratePath = '/v2/generate') =>
  postJson(`${service.addresses.apiUrl}${path}`, body, withKey(service));

export const get = (service: Service, path: string): Promise<Answer> =>
  call(`${service.addresses.apiUrl}${path}`, { headers: withKey(service) });

const flatError = z.strictObject({
  error: z.string().check(z.minLength(1)),
  details: z.optional(z.string()),
});

/** Asserts that the answer is an error of this status in the flat envelope, and returns the error. */
export function assertFlat({ status, body }: Answer, expected: number): z.infer<typeof flatError> {
  assert.equal(status, expected, JSON.stringify(body));
  return z.parse(flatError, body);
}

/** Where a 303 points. */
export function locationOf({ status, headers, body }: Answer): string {
  assert.equal(status, 303, JSON.stringify(body));
  const location = headers.get('location') ?? '';
  assert.match(location, /^https?:\/\//, 'an absolute URL');
  return location;
}

/** The video that a request to download is redirected to. */
export const videoOf = async (service: Service, options: Options = {}): Promise<Video> =>
  fetchVideo(locationOf(await generate(service, requestOf(options))));

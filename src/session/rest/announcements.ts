// Train announcements over HTTP (document 1): submitted, then asked for until the video is there.
import {
  announcementBody,
  parseAnnouncementStatus,
  parseSubmitted,
  type AnnouncementFields,
} from '../../protocol/announcement.ts';
import { ownError } from '../../protocol/sign-error.ts';
import { pollUntil } from './polling.ts';
import { pathOf, request, understood, type RequestDeps, type RequestOptions } from './request.ts';

export interface AnnounceOptions extends RequestOptions {
  /** Hears the id under which the service took the request. */
  readonly accepted?: ((requestId: string) => void) | undefined;
  /** Does, between two looks at it, the wait that is due, and whatever else the next look is to wait for. Default: that wait. */
  readonly between?: ((wait: () => Promise<void>) => Promise<void>) | undefined;
}

/** A train announcement that was made. */
export interface Announcement {
  readonly requestId: string;
  /** Presigned video. */
  readonly url: string;
}

export async function announce(
  deps: RequestDeps,
  fields: AnnouncementFields,
  options: AnnounceOptions = {},
): Promise<Announcement> {
  const { signal, between } = options;
  const path = 'v1/sign-requests/train-announcements';
  const submitted = await request({ path, body: announcementBody(fields) }, deps, options);
  const requestId = understood(parseSubmitted(submitted));
  options.accepted?.(requestId);
  const look = (): Promise<string | null> => urlOf(deps, requestId, options);
  return { requestId, url: await pollUntil(look, { ...deps, signal, between }) };
}

/** One that was asked for, with an address that is fresh; looks at once, then as `announce` does. */
export async function announcement(
  deps: RequestDeps,
  requestId: string,
  options: RequestOptions = {},
): Promise<Announcement> {
  const look = (): Promise<string | null> => urlOf(deps, requestId, options);
  const url = (await look()) ?? (await pollUntil(look, { ...deps, signal: options.signal }));
  return { requestId, url };
}

/** Null while it is being made. */
async function urlOf(deps: RequestDeps, requestId: string, options: RequestOptions): Promise<string | null> {
  const path = `v1/sign-requests/${pathOf(requestId)}?filter=status`;
  const { status, url, message } = understood(
    parseAnnouncementStatus(await request({ path }, deps, options)),
  );
  if (status === 'FAILED') throw ownError('announcement_failed', message || undefined, { requestId });
  return status === 'COMPLETED' ? understood(url) : null;
}

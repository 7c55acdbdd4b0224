// What an announcement element asks for: the fields of document 1, with the background that was wished for as `bgColour`.
// Policy: `bg-colour` wins over `background`; transparency is the service's to make where a transparent WebM plays, else
// the page keys; a colour is the service's to make.
import { playsAlphaWebm } from '../../playback/alpha-webm.ts';
import { announcementBody } from '../../protocol/announcement.ts';
import type { AnnouncementFields } from '../../protocol/announcement-fields.ts';

const TRANSPARENT = '-1,-1,-1';

export interface AnnouncementOrder {
  readonly body: Readonly<Record<string, string>>;
  /** The service makes the background that was asked for. */
  readonly served: boolean;
}

/**
 * @param background `transparent`, `#rrggbb` or null
 * @throws SignError `invalid_request` that names every field which is wrong
 */
export async function orderOf(
  fields: AnnouncementFields,
  background: string | null,
): Promise<AnnouncementOrder> {
  const given = announcementBody(fields);
  const asked = given.bgColour;
  if (asked !== undefined) return { body: given, served: asked === TRANSPARENT };
  const made = background === 'transparent' ? await transparency() : background && colourOf(background);
  return made ? { body: { ...given, bgColour: made }, served: true } : { body: given, served: false };
}

const transparency = async (): Promise<string | null> => ((await playsAlphaWebm()) ? TRANSPARENT : null);

const colourOf = (background: string): string =>
  [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16)).join();

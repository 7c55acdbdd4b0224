// The names of the fields of a train announcement (document 1, Announcement request).
// - Plain lists without schemas: an element has an attribute for each name before any other code is loaded.

/** Each is `true` or absent. */
export const announcementFlags = [
  'cancelled',
  'shortDelay',
  'longDelay',
  'noPlatform',
  'busReplacement',
] as const;

export const announcementWords = [
  'destination',
  'timing',
  'platform',
  'operator',
  'via',
  'updatedTiming',
  'updatedPlatform',
  'disruptionReason',
  'callingAt',
  'notCallingAt',
  'splitInfo',
  'platformInfo',
  'arrivalInfo',
  'stopInfo',
  'currentlyAt',
  'waitsHere',
  'exitSide',
  'currentStation',
  'operatorDelay',
  'liftStatus',
  'escalatorStatus',
  'staticMessage',
  'bgColour',
] as const;

type AnnouncementFlag = (typeof announcementFlags)[number];
export type AnnouncementWord = (typeof announcementWords)[number];

/** Every field. An empty string is sent for times and platforms only: there it means that none is known. */
export type AnnouncementFields = {
  readonly [Name in AnnouncementWord]?: string | null | undefined;
} & { readonly [Name in AnnouncementFlag]?: boolean | undefined };

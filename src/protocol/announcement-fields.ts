// The fields of a train announcement by name (document 1, Announcement request). Plain lists: an element has an attribute
// for each before anything else of it is loaded.

/** `true` or not there. */
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

export type AnnouncementFlag = (typeof announcementFlags)[number];
export type AnnouncementWord = (typeof announcementWords)[number];

/** Every field. Of an empty string only times and platforms are sent: there it says that none is known. */
export type AnnouncementFields = {
  readonly [Name in AnnouncementWord]?: string | null | undefined;
} & { readonly [Name in AnnouncementFlag]?: boolean | undefined };

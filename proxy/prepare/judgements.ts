// What a reviewer may do with a text of an edition: judge it, have other words signed, put a person's video in its place, or
// go back to the previous clip.
// - Each call gives the date of the text that the reviewer saw, so that a later change by another reviewer is not overwritten.
// - The previous clip stays in the folder, so that the two can be compared.
import { TEXT_STATES, type PreparedText, type TextState } from '../../src/protocol/prepared-manifest.ts';
import { type Edition, isOfPerson, shortHash, shortOf, wordingOf } from './edition.ts';
import { personVideo, VideoError } from './person-video.ts';
import type { SignText } from './sign-text.ts';

/** The text as a reviewer saw it. */
export interface Seen {
  readonly hash: string;
  readonly date: string;
}

/** Another reviewer has judged the text before; `now` is its present state, undefined when it was removed. */
export class ConflictError extends Error {
  readonly now: PreparedText | undefined;

  constructor(now: PreparedText | undefined) {
    super('another reviewer has changed this text');
    this.now = now;
  }
}

/** What a reviewer asked for cannot be done. */
export class JudgementError extends Error {}

/** Fields of a text with their new values; a `wording` of null removes it. */
type Changes = Partial<Omit<PreparedText, 'wording'>> & { readonly wording?: string | null };

async function change(edition: Edition, { hash, date }: Seen, to: Changes): Promise<PreparedText> {
  return edition.update((texts) => {
    const known = texts.get(hash);
    if (known?.date !== date) throw new ConflictError(known);
    const now = new Date();
    // Two changes in one millisecond must not look the same.
    const later = new Date(Math.max(now.getTime(), Date.parse(date) + 1 || 0)).toISOString();
    const { wording, ...rest } = { ...known, ...to, date: later };
    const changed = typeof wording === 'string' ? { ...rest, wording } : rest;
    texts.set(hash, changed);
    return changed;
  });
}

export async function judge(
  edition: Edition,
  seen: Seen,
  state: unknown,
  note: unknown,
): Promise<PreparedText> {
  const known = TEXT_STATES.find((name): name is TextState => name === state);
  if (!known || known === 'replaced') throw new JudgementError('state is none of draft, approved, rejected');
  if (typeof note !== 'string' || note.length > 2_000) throw new JudgementError('note is no text');
  if (known === 'rejected' && !note.trim()) throw new JudgementError('a rejection needs a reason');
  const { file } = current(edition, seen);
  // This state tells a page that a person signs the clip.
  const now = known === 'approved' && isOfPerson(file) ? 'replaced' : known;
  return change(edition, seen, { state: now, note: note.trim() });
}

/** Swaps the clip and the previous one; the clip is then a draft. */
export async function restore(edition: Edition, seen: Seen): Promise<PreparedText> {
  const { text, wording, file, before } = current(edition, seen);
  if (before === undefined) throw new JudgementError('there is no previous clip');
  const signedDigits = wordingOf(before);
  const words = [text, wording].find(
    (one) => one !== undefined && shortOf(edition.hashOf(one)) === signedDigits,
  );
  if (words === undefined && !isOfPerson(before))
    throw new JudgementError('the words of the previous clip are no longer known: have them signed again');
  const clip = await edition.readClip(before);
  if (!clip) throw new JudgementError('the previous clip is missing or does not play');
  const ownWords = words === text && { wording: null };
  return change(edition, seen, { ...clip, ...ownWords, before: file, state: 'draft', note: '' });
}

/** Has other words signed for a text; the new clip is a draft. */
export async function reword(
  edition: Edition,
  seen: Seen,
  words: unknown,
  sign: SignText,
): Promise<PreparedText> {
  const wording = typeof words === 'string' ? words.trim() : '';
  if (!wording) throw new JudgementError('wording is empty');
  const { file: before } = current(edition, seen);
  const name = edition.hashOf(wording);
  // Words that are the same as before are signed anew, because the present clip was not good enough.
  const others = (await edition.files()).filter((file) => file !== before);
  const clip =
    (await edition.findClip(name, others)) ??
    (await edition.keepClip(name, await sign(wording, new AbortController().signal)));
  return change(edition, seen, { ...clip, wording, before, state: 'draft', note: '' });
}

/** Puts a video by a person in place of the clip. */
export async function replace(edition: Edition, seen: Seen, video: Uint8Array): Promise<PreparedText> {
  const { file: before } = current(edition, seen);
  let bytes: Uint8Array;
  try {
    bytes = personVideo(video);
  } catch (error) {
    if (!(error instanceof VideoError)) throw error;
    throw new JudgementError(`this file cannot be used: ${error.message}`);
  }
  const clip = await edition.keepClip(shortHash(bytes), bytes);
  return change(edition, seen, { ...clip, before, state: 'replaced', note: '' });
}

/** The text, if it is still as the reviewer saw it. @throws ConflictError */
function current(edition: Edition, { hash, date }: Seen): PreparedText {
  const known = edition.texts.get(hash);
  if (known?.date !== date) throw new ConflictError(known);
  return known;
}

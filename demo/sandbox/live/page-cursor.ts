// The cursor of the session list (document 2, Live session list response). Policy: opaque to clients, it names the session
// that the page before ended with, so that sessions that come or go between two pages leave neither gap nor repetition;
// whatever was not made here is refused.

const made = /^before:(\d{1,15})$/;

/** The cursor of what comes after this session's number. */
export const cursorAfter = (number: number): string => Buffer.from(`before:${number}`).toString('base64url');

/** The number that a cursor names; null when it is none of ours. */
export function numberOf(cursor: string): number | null {
  const [, digits] = made.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return digits !== undefined && cursorAfter(Number(digits)) === cursor ? Number(digits) : null;
}

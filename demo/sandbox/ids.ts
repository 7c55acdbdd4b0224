// Makes the ids and secrets of the sandbox, and checks ids that the documents call UUIDs.
// - They are random. With a seed they are the same in every run.
// - A new UUID has version 4. Any version and letter case is accepted.
import { createHash, randomBytes } from 'node:crypto';

/** A source of 128-bit hex strings. No string is given twice. */
export function hexSource(seed: number | undefined): () => string {
  if (seed === undefined) return () => randomBytes(16).toString('hex');
  let drawn = 0;
  return () => createHash('sha256').update(`sandbox ${seed} ${drawn++}`).digest('hex').slice(0, 32);
}

const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (id: string): boolean => SHAPE.test(id);

/** A UUID of these 32 hex digits. */
export const uuidOf = (hex: string): string =>
  hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');

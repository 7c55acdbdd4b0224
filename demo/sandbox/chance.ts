// Where the sandbox's session ids and its signing secret come from. Policy: random unless a seed is given; with a seed
// every one of them is the same in every run.
import { createHash, randomBytes } from 'node:crypto';

/** A source of strings of 128 bits in hex, none like the one before. */
export function chanceOf(seed: number | undefined): () => string {
  if (seed === undefined) return () => randomBytes(16).toString('hex');
  let drawn = 0;
  return () => createHash('sha256').update(`sandbox ${seed} ${drawn++}`).digest('hex').slice(0, 32);
}

// The attribute `background`: what lies behind the signer in place of the signer's own backplate. Policy: `transparent` or
// `#RRGGBB`; anything else reads as absent and is told once.
import { warnOnce } from '../internal/warn-once.ts';

/** `transparent`, `#rrggbb` in small letters, or null for the signer's own backplate. */
export function readBackground(value: unknown): string | null {
  const word = String(value ?? '')
    .trim()
    .toLowerCase();
  if (/^(transparent|#[\da-f]{6})$/.test(word)) return word;
  if (word) {
    warnOnce('attribute background', `Sign Elements: background="${word}" is not transparent or #RRGGBB.`);
  }
  return null;
}

// How a picture looks, without its text (document 2, delivery.config; document 3, session.start config).
// - It is plain data, because it is sent between threads and a hash of it names a stored file.
import type { SignerName } from './figure.ts';

/** A logo as the service fetched it. */
export interface Logo {
  /** The image file's own bytes: PNG, JPEG or WebP. */
  readonly file: Uint8Array;
  readonly position: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';
  readonly size: 'small' | 'medium' | 'large';
}

export interface RenderStyle {
  readonly signer: SignerName;
  /** Pixels of the picture; both even, 16 to 3840. */
  readonly width: number;
  readonly height: number;
  /** `#rrggbb`, `transparent` (the picture has an alpha plane), or null for the signer's own backplate. */
  readonly backdrop: string | null;
  /** Height of the figure: three quarters, seven eighths, or the whole of the picture. */
  readonly signerSize: 'small' | 'medium' | 'large';
  /** Shows the panel with the current word; without it only the signer is on the backdrop. */
  readonly wordPanel: boolean;
  /** Shows the whole text as subtitles at the lower edge. */
  readonly subtitles: boolean;
  /** `fill` composes for any shape of picture, `pad` puts a 16:9 picture between black bars. */
  readonly fit: 'fill' | 'pad';
  readonly logo: Logo | null;
}

/** A style with only signer and size chosen (document 3, session.start config). */
export const ownBackplate = (
  signer: SignerName,
  { width, height }: { readonly width: number; readonly height: number },
): RenderStyle => ({
  signer,
  width,
  height,
  backdrop: null,
  signerSize: 'large',
  wordPanel: true,
  subtitles: false,
  fit: 'fill',
  logo: null,
});

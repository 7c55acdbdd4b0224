// What the three drawn signers look like. Policy: told apart at a glance and by more than hue (hair, collar, sleeves,
// glasses, beard); clothes plain and in contrast with the skin, as signers dress, so that hands stand out.
import { colour, type Colour } from './picture.ts';

export interface SignerLook {
  readonly skin: Colour;
  /** Outline of skin, and what is shaded of it. */
  readonly shade: Colour;
  readonly hair: Colour;
  readonly cloth: Colour;
  readonly clothShade: Colour;
  readonly lips: Colour;
  readonly hairstyle: 'bob' | 'short' | 'curls';
  readonly collar: 'round' | 'shirt' | 'polo';
  /** How far the sleeve reaches: 1 the elbow, 2 the wrist. */
  readonly sleeve: number;
  readonly glasses: boolean;
  readonly beard: boolean;
}

/** Names of the signers in their canonical letter case. */
export type SignerName = 'RAE' | 'JAY' | 'MAX';

export const signerLooks: Readonly<Record<SignerName, SignerLook>> = {
  RAE: {
    skin: colour('#e8b998'),
    shade: colour('#b9795a'),
    hair: colour('#5b3a29'),
    cloth: colour('#1f6f78'),
    clothShade: colour('#15525a'),
    lips: colour('#a8484a'),
    hairstyle: 'bob',
    collar: 'round',
    sleeve: 2,
    glasses: false,
    beard: false,
  },
  JAY: {
    skin: colour('#8d5a3b'),
    shade: colour('#5a3520'),
    hair: colour('#1d1715'),
    cloth: colour('#d9c9a3'),
    clothShade: colour('#b09d72'),
    lips: colour('#6d2f2c'),
    hairstyle: 'short',
    collar: 'polo',
    sleeve: 0.68,
    glasses: false,
    beard: true,
  },
  MAX: {
    skin: colour('#f3cfb3'),
    shade: colour('#c98f6d'),
    hair: colour('#b5642e'),
    cloth: colour('#33456b'),
    clothShade: colour('#22304d'),
    lips: colour('#b4585a'),
    hairstyle: 'curls',
    collar: 'shirt',
    sleeve: 1.45,
    glasses: true,
    beard: false,
  },
};

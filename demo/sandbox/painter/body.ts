// The parts of the drawn signer that never move: hips, torso, collar, neck, head and hair. Figure units (see pose.ts).
// Policy: painted once a signer and size; only what moves is paid for in every frame.
import { eyeShapes, face } from './face.ts';
import { ellipse, limb, mirrored, smooth } from './outline.ts';
import { colour, type Colour } from './picture.ts';
import type { Outline, Shape } from './polygon.ts';
import type { SignerLook } from './signer-look.ts';

const trousers = colour('#3b3f46');
const trousersShade = colour('#282b30');
const shirt = colour('#f2f4f5');
const glassesFrame = colour('#2b2b30');

/** The right half of an outline, from top to bottom, closed by its mirror image. */
function symmetric(half: Outline): Outline {
  const back: number[] = [];
  for (let i = half.length - 2; i >= 0; i -= 2) if (half[i] !== 0) back.push(-half[i]!, half[i + 1]!);
  return [...half, ...back];
}

const torso = smooth(
  symmetric([
    20, 246, 64, 262, 104, 276, 126, 304, 124, 350, 108, 430, 98, 500, 98, 532, 96, 549, 70, 553, 20, 554,
  ]),
);
/** Down to where no picture shows them any more. */
const legs = smooth(
  symmetric([20, 530, 70, 530, 92, 536, 100, 560, 106, 620, 110, 730, 111, 900, 106, 1800, 40, 1820]),
);
const inseam = limb(0, 690, 1.5, 0, 1800, 4);

const collars: Readonly<Record<SignerLook['collar'], (look: SignerLook) => Shape[]>> = {
  round: (look) => [
    { outline: ellipse(0, 258, 46, 24), colour: look.clothShade },
    { outline: ellipse(0, 253, 39, 21), colour: look.skin },
  ],
  polo: (look) => [
    { outline: [-40, 248, 40, 248, 0, 304], colour: look.skin },
    { outline: [-44, 244, -30, 242, 4, 298, -14, 308], colour: look.clothShade },
    { outline: [44, 244, 30, 242, -4, 298, 14, 308], colour: look.clothShade },
    { outline: limb(0, 300, 3, 0, 360, 3), colour: look.clothShade },
  ],
  shirt: (look) => [
    { outline: [-42, 246, 42, 246, 0, 322], colour: shirt },
    { outline: [-30, 246, 30, 246, 0, 288], colour: look.skin },
    { outline: limb(-36, 250, 5, 0, 318, 4), colour: look.clothShade },
    { outline: limb(36, 250, 5, 0, 318, 4), colour: look.clothShade },
  ],
};

const curlPlaces: Outline = [
  -52, 128, -50, 102, -34, 84, -12, 76, 12, 76, 34, 84, 50, 102, 52, 128, -20, 92, 20, 92, 0, 88,
];

/** Hair behind the head, then hair in front of it. */
function hair(look: SignerLook): { behind: Shape[]; front: Shape[] } {
  const shape = (outline: Outline): Shape => ({ outline, colour: look.hair });
  switch (look.hairstyle) {
    case 'bob':
      return {
        behind: [shape(smooth(symmetric([0, 72, 44, 82, 68, 122, 72, 176, 70, 224, 46, 232, 30, 214])))],
        front: [
          shape(smooth([-6, 80, 30, 84, 56, 116, 60, 164, 50, 138, 26, 116, -4, 104])),
          shape(smooth([6, 80, -32, 86, -58, 118, -60, 166, -50, 136, -22, 116, 20, 98])),
        ],
      };
    case 'short':
      return {
        behind: [shape(ellipse(0, 132, 60, 54))],
        front: [
          shape(
            smooth([
              -57, 146, -56, 104, -30, 80, 0, 75, 30, 80, 56, 104, 57, 146, 48, 116, 24, 106, 0, 104, -24,
              106, -48, 116,
            ]),
          ),
        ],
      };
    case 'curls': {
      const curls: Shape[] = [];
      for (let i = 0; i < curlPlaces.length; i += 2) {
        curls.push(shape(ellipse(curlPlaces[i]!, curlPlaces[i + 1]!, 18, 18)));
      }
      return { behind: [shape(ellipse(0, 120, 62, 50))], front: curls };
    }
  }
}

function glasses(): Shape[] {
  const rim = (x: number): Shape[] => [{ outline: ring(x, 152, 20, 16, 2.6), colour: glassesFrame }];
  return [
    ...rim(-24),
    ...rim(24),
    { outline: limb(-5, 150, 1.6, 5, 150, 1.6), colour: glassesFrame },
    { outline: limb(-44, 149, 1.6, -56, 146, 1.6), colour: glassesFrame },
    { outline: limb(44, 149, 1.6, 56, 146, 1.6), colour: glassesFrame },
  ];
}

/** A ring as one outline: out along the outer edge, back along the inner one. */
function ring(x: number, y: number, rx: number, ry: number, thick: number): Outline {
  const outer = ellipse(x, y, rx, ry);
  const inner: number[] = [];
  const inside = ellipse(x, y, rx - thick, ry - thick);
  for (let i = inside.length - 2; i >= 0; i -= 2) inner.push(inside[i]!, inside[i + 1]!);
  const [ox, oy, ix, iy] = [outer[0]!, outer[1]!, inside[0]!, inside[1]!];
  return [...outer, ox, oy, ix, iy, ...inner];
}

function beard(look: SignerLook): Shape[] {
  const chin = smooth(symmetric([0, 211, 14, 209, 30, 196, 49, 158, 55, 172, 47, 206, 26, 228, 0, 234]));
  return [{ outline: chin, colour: look.hair }];
}

/** Everything that stands still, back to front. */
export function bodyShapes(look: SignerLook): Shape[] {
  const part = (outline: Outline, colour: Colour): Shape => ({ outline, colour });
  const { behind, front } = hair(look);
  const ear = ellipse(57, 160, 10, 16);
  return [
    ...behind,
    part(legs, trousers),
    part(inseam, trousersShade),
    part(torso, look.cloth),
    ...collars[look.collar](look),
    part(limb(0, 208, 25, 0, 252, 27), look.skin),
    part(smooth([-25, 206, 25, 206, 25, 232, 0, 244, -25, 232]), look.shade),
    part(ear, look.shade),
    part(mirrored(ear), look.shade),
    part(ellipse(face.x, face.y, face.rx, face.ry), look.skin),
    ...(look.beard ? beard(look) : []),
    ...front,
    part(limb(-6, 178, 2.4, 6, 178, 2.4), look.shade),
    part(limb(-3, 174, 3, 3, 174, 3), look.skin),
    ...eyeShapes(look),
    ...(look.glasses ? glasses() : []),
  ];
}

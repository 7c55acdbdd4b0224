// Paints a logo into the picture (media/logo-image.ts decodes the file).
// - Each pixel is the mean of the area of the logo that it covers, blended by its alpha: luma at full size, chroma at half.
// - Where the picture is transparent the logo keeps its own colours, and only alpha is soft.
import { alphaOf, ofRgb, type Picture, type Rect } from './picture.ts';

/** Rows from the top, four bytes a pixel: red, green, blue (sRGB, not multiplied by alpha), alpha. */
export interface LogoPixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Red, green, blue, each multiplied by alpha, and alpha, 0 to 1, for every pixel of the rect. */
function scaled(logo: LogoPixels, width: number, height: number): Float64Array {
  const out = new Float64Array(width * height * 4);
  const [stepX, stepY] = [logo.width / width, logo.height / height];
  for (let y = 0; y < height; y++) {
    const [y0, y1] = [y * stepY, Math.min(logo.height, (y + 1) * stepY)];
    for (let x = 0; x < width; x++) {
      const [x0, x1] = [x * stepX, Math.min(logo.width, (x + 1) * stepX)];
      const at = (y * width + x) * 4;
      for (let row = Math.floor(y0); row < y1; row++) {
        const tall = Math.min(y1, row + 1) - Math.max(y0, row);
        for (let column = Math.floor(x0); column < x1; column++) {
          const part = (tall * (Math.min(x1, column + 1) - Math.max(x0, column))) / (stepX * stepY);
          const from = (row * logo.width + column) * 4;
          const alpha = (part * logo.rgba[from + 3]!) / 255;
          out[at] = out[at]! + logo.rgba[from]! * alpha;
          out[at + 1] = out[at + 1]! + logo.rgba[from + 1]! * alpha;
          out[at + 2] = out[at + 2]! + logo.rgba[from + 2]! * alpha;
          out[at + 3] = out[at + 3]! + alpha;
        }
      }
    }
  }
  return out;
}

const blend = (plane: Uint8Array, at: number, value: number, alpha: number): void => {
  plane[at] = Math.round(plane[at]! + (value - plane[at]!) * alpha);
};

/** Blends the logo into the rect, whose edges are even and within the picture. */
export function paintLogo(picture: Picture, { left, top, right, bottom }: Rect, logo: LogoPixels): void {
  const [width, height] = [right - left, bottom - top];
  const pixels = scaled(logo, width, height);
  const matte = alphaOf(picture);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b, a] = pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4);
      if (!a) continue;
      const at = (top + y) * picture.strideY + left + x;
      blend(picture.y, at, ofRgb(r! / a, g! / a, b! / a).y, matte ? 1 : a);
      if (matte) blend(matte.plane, (top + y) * matte.stride + left + x, 255, a);
    }
  }
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const four = [0, 1, width, width + 1].map((away) => (y * width + x + away) * 4);
      const sum = (channel: number): number => four.reduce((all, at) => all + pixels[at + channel]!, 0);
      const alpha = sum(3);
      if (!alpha) continue;
      const { u, v } = ofRgb(sum(0) / alpha, sum(1) / alpha, sum(2) / alpha);
      const at = ((top + y) / 2) * picture.strideC + (left + x) / 2;
      blend(picture.u, at, u, matte ? 1 : alpha / 4);
      blend(picture.v, at, v, matte ? 1 : alpha / 4);
    }
  }
}

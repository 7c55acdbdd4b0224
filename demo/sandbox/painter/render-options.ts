// The options for everything that one sandbox paints, chosen when it starts.
// - They do not change, so neither a spec nor the name of a stored file contains them. Each thread and process that paints gets
//   them when it starts.

export interface RenderOptions {
  /** Whether every frame has a machine-readable clip and frame number (stamp.ts). Default false. */
  readonly stamp: boolean;
  /** Frames for a word of at most 6 letters: 1 to 25, at 25 frames a second. Default 11. */
  readonly framesPerWord: number;
  /**
   * Whether H.264 in MP4 and QuickTime is High profile with B-frames, as real encoders make it. Default true; with false it is
   * Constrained Baseline. Streams and MPEG-TS never have B-frames, because their encoder must not wait.
   */
  readonly bFrames: boolean;
  /**
   * Factor by which the requested width and height are multiplied, 0.25 to 1. Default 1. A test takes less time to encode, decode
   * and draw a smaller picture.
   */
  readonly scale: number;
}

export const defaultRenderOptions: RenderOptions = {
  stamp: false,
  framesPerWord: 11,
  bFrames: true,
  scale: 1,
};

const MOST_FRAMES_PER_WORD = 25;
const SMALLEST_SCALE = 0.25;

/** The given options with the defaults for the others. @throws RangeError for a number that is not allowed */
export function withRenderDefaults(given: Partial<RenderOptions> = {}): RenderOptions {
  const options = { ...defaultRenderOptions, ...given };
  const { framesPerWord, scale } = options;
  if (!Number.isInteger(framesPerWord) || framesPerWord < 1 || framesPerWord > MOST_FRAMES_PER_WORD) {
    throw new RangeError(`framesPerWord: a whole number from 1 to ${MOST_FRAMES_PER_WORD}`);
  }
  if (!(scale >= SMALLEST_SCALE && scale <= 1)) {
    throw new RangeError(`scale: a number from ${SMALLEST_SCALE} to 1`);
  }
  return options;
}

/**
 * The options that an environment asks for: `SANDBOX_STAMP=1`, `SANDBOX_B_FRAMES=0`, `SANDBOX_FRAMES_PER_WORD` a
 * whole number, `SANDBOX_SCALE` a number.
 * @throws RangeError for a number that is not allowed
 */
export function renderOptionsFrom(env: Readonly<Record<string, string | undefined>>): RenderOptions {
  const frames = env['SANDBOX_FRAMES_PER_WORD'];
  const scale = env['SANDBOX_SCALE'];
  return withRenderDefaults({
    stamp: env['SANDBOX_STAMP'] === '1',
    bFrames: env['SANDBOX_B_FRAMES'] !== '0',
    ...(frames && { framesPerWord: Number(frames) }),
    ...(scale && { scale: Number(scale) }),
  });
}

const even = (pixels: number): number => 2 * Math.round(pixels / 2);

/** The painted size for a requested size: the latter multiplied by `scale`, with both sides even. */
export const paintedSize = <T extends { readonly width: number; readonly height: number }>(
  asked: T,
  { scale }: RenderOptions,
): T => ({ ...asked, width: even(asked.width * scale), height: even(asked.height * scale) });

// The options for everything that one sandbox paints, chosen when it starts.
// - They do not change, so they are in no spec and in no name of a stored file. Each thread and process that paints gets them when
//   it starts.

export interface RenderOptions {
  /** Whether every frame has a machine-readable clip and frame number (stamp.ts). Default false. */
  readonly stamp: boolean;
  /** Frames of a word of at most 6 letters, 1 to 25; there are 25 frames a second. Default 11. */
  readonly framesPerWord: number;
  /**
   * Whether H.264 in MP4 and QuickTime is High profile with B-frames, as real encoders make it; default true. False is
   * Constrained Baseline. Streams and MPEG-TS never have B-frames: their encoder must not wait.
   */
  readonly bFrames: boolean;
}

export const defaultRenderOptions: RenderOptions = { stamp: false, framesPerWord: 11, bFrames: true };

const MOST_FRAMES_PER_WORD = 25;

/** The given options with the defaults for the others. @throws RangeError for a number of frames that is not allowed */
export function withRenderDefaults(given: Partial<RenderOptions> = {}): RenderOptions {
  const options = { ...defaultRenderOptions, ...given };
  const { framesPerWord } = options;
  if (!Number.isInteger(framesPerWord) || framesPerWord < 1 || framesPerWord > MOST_FRAMES_PER_WORD) {
    throw new RangeError(`framesPerWord: a whole number from 1 to ${MOST_FRAMES_PER_WORD}`);
  }
  return options;
}

/**
 * The options that an environment asks for: `SANDBOX_STAMP=1`, `SANDBOX_B_FRAMES=0`, `SANDBOX_FRAMES_PER_WORD` a
 * whole number.
 * @throws RangeError for a number of frames that is not allowed
 */
export function renderOptionsFrom(env: Readonly<Record<string, string | undefined>>): RenderOptions {
  const frames = env['SANDBOX_FRAMES_PER_WORD'];
  return withRenderDefaults({
    stamp: env['SANDBOX_STAMP'] === '1',
    bFrames: env['SANDBOX_B_FRAMES'] !== '0',
    ...(frames && { framesPerWord: Number(frames) }),
  });
}

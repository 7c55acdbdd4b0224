// Names of picture sizes. Policy: `480p` is 854 pixels wide, the even number next to 16:9.

export type Resolution = '480p' | '720p' | '1080p';

/** Pixels; both even. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of each resolution (document 3, session.start config). */
export const frameSizes: Readonly<Record<Resolution, FrameSize>> = {
  '480p': { width: 854, height: 480 },
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
};

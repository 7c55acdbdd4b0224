// What each container can hold, and its name and MIME type. Policy: only pairs that players know: H.265 but not VP9 in
// MPEG-TS and QuickTime, ProRes in QuickTime only; transparency is VP9 in WebM or ProRes 4444 in QuickTime.
import type { Codec, Container } from './media-spec.ts';

interface ContainerKind {
  /** Ending of the address. */
  readonly ending: string;
  /** MIME type. */
  readonly type: string;
  readonly codecs: readonly Codec[];
  /** What it can hold with transparency. */
  readonly transparent: readonly Codec[];
}

export const containers: Readonly<Record<Container, ContainerKind>> = {
  mp4: { ending: 'mp4', type: 'video/mp4', codecs: ['h264', 'h265', 'vp9', 'av1'], transparent: [] },
  mov: { ending: 'mov', type: 'video/quicktime', codecs: ['h264', 'h265'], transparent: ['prores'] },
  webm: { ending: 'webm', type: 'video/webm', codecs: ['vp9'], transparent: ['vp9'] },
  ts: { ending: 'ts', type: 'video/mp2t', codecs: ['h264', 'h265'], transparent: [] },
  segment: { ending: 'm4s', type: 'video/mp4', codecs: ['h264', 'h265', 'vp9', 'av1'], transparent: [] },
};

/**
 * Whether there can be such a file.
 * @param transparent whether its style is; default false
 */
export function canHold(container: Container, codec: Codec, transparent = false): boolean {
  const kind = containers[container];
  return (transparent ? kind.transparent : kind.codecs).includes(codec);
}

// Stores finished media by their specification, so that a text is rendered once, and serves them on the media origin.
// - At most `stored_media_bytes` (256 MB) of all kinds together are stored; the least recently used media are removed first. URLs
//   of removed media answer 404, and their results count as expired.
// - A spec has one name, which is in the addresses of its files. Media that are requested again while they are rendered are not
//   rendered twice.
// - Each address is presigned by itself (document 3: a signed URL, valid 5 minutes from issue). The bytes under a name never
//   change.
import { createHash } from 'node:crypto';
import type { SandboxClock } from '../clock.ts';
import { notFound, type MediaRoute } from './media-origin.ts';
import {
  containers,
  stages,
  type EncodedMedia,
  type MediaSpec,
  type OnStage,
  type Stage,
  type Stages,
} from './media-spec.ts';
import { isPresigned } from './signed-url.ts';

/** Makes media; EncodePool in the service. */
interface MediaEncoder {
  encode(spec: MediaSpec, onStage: OnStage): Promise<EncodedMedia>;
}

/** One file and its path on the media origin, before it is signed. */
interface StoredFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface StoredMedia {
  /** 32 hexadecimal digits. */
  readonly name: string;
  /** One file, or all segments in their order. */
  readonly files: readonly StoredFile[];
  /** MIME type of each file. */
  readonly type: string;
  /** Duration of all files together. */
  readonly durationSeconds: number;
  readonly stages: Stages;
}

/** Media that are being rendered, and the listeners that each stage is reported to. */
interface Rendering {
  readonly media: Promise<StoredMedia>;
  readonly reported: (readonly [stage: Stage, durationMs: number])[];
  readonly listeners: OnStage[];
}

const hash = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Sorts fields by name, so that equal specs give the same JSON. */
const inOrder = (_key: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

function nameOf(spec: MediaSpec): string {
  const { logo } = spec.style;
  const style = { ...spec.style, logo: logo && { ...logo, file: hash(logo.file) } };
  return hash(JSON.stringify({ ...spec, style }, inOrder)).slice(0, 32);
}

function pathsOf(name: string, { container }: MediaSpec, { files }: EncodedMedia): StoredFile[] {
  const { ending } = containers[container];
  const pathOf = (n: number): string => `/clips/${name}${container === 'ts' ? `-${n}` : ''}.${ending}`;
  return files.map((bytes, n) => ({ path: pathOf(n), bytes }));
}

const sizeOf = ({ files }: StoredMedia): number => files.reduce((sum, { bytes }) => sum + bytes.length, 0);

export class ClipStore {
  readonly #encoder: MediaEncoder;
  readonly #mostBytes: () => number;
  readonly #stored = new Map<string, StoredMedia>();
  readonly #rendering = new Map<string, Rendering>();
  #bytes = 0;

  constructor(encoder: MediaEncoder, mostBytes: () => number) {
    this.#encoder = encoder;
    this.#mostBytes = mostBytes;
  }

  /**
   * The media of this spec, from the store or made now.
   * @param onStage called for every stage: at once for a stage that is already complete, and with 0 ms for stored media
   * @throws EncodeError, or LogoError when the logo cannot be used
   */
  mediaOf(spec: MediaSpec, onStage: OnStage): Promise<StoredMedia> {
    const name = nameOf(spec);
    const stored = this.named(name);
    if (stored) {
      for (const stage of stages) onStage(stage, 0);
      const noTime = { text_to_gloss: 0, gloss_translation: 0, stream_generator: 0 };
      return Promise.resolve({ ...stored, stages: noTime });
    }
    const rendering = this.#rendering.get(name) ?? this.#render(name, spec);
    for (const [stage, durationMs] of rendering.reported) onStage(stage, durationMs);
    rendering.listeners.push(onStage);
    return rendering.media;
  }

  /** The media with this name; null when they are not stored, or no longer. */
  named(name: string): StoredMedia | null {
    const media = this.#stored.get(name);
    if (!media) return null;
    this.#stored.delete(name);
    this.#stored.set(name, media);
    return media;
  }

  #render(name: string, spec: MediaSpec): Rendering {
    const reported: Rendering['reported'] = [];
    const listeners: OnStage[] = [];
    const onStage: OnStage = (stage, durationMs) => {
      reported.push([stage, durationMs]);
      for (const listener of listeners) listener(stage, durationMs);
    };
    const encoded = this.#encoder.encode(spec, onStage);
    const media = encoded
      .then((made) => {
        const { type } = containers[spec.container];
        const { durationSeconds, stages } = made;
        const stored = { name, files: pathsOf(name, spec, made), type, durationSeconds, stages };
        this.#keep(stored);
        return stored;
      })
      .finally(() => this.#rendering.delete(name));
    const rendering = { media, reported, listeners };
    this.#rendering.set(name, rendering);
    return rendering;
  }

  #keep(media: StoredMedia): void {
    this.#stored.set(media.name, media);
    this.#bytes += sizeOf(media);
    for (const [name, oldest] of this.#stored) {
      if (this.#bytes <= this.#mostBytes()) return;
      this.#stored.delete(name);
      this.#bytes -= sizeOf(oldest);
    }
  }
}

const clipPath = /^\/clips\/([0-9a-f]{32})[-.]/;

/** @param secret of the presigned URLs */
export function clipRoute(
  clips: Pick<ClipStore, 'named'>,
  { clock, secret }: { readonly clock: SandboxClock; readonly secret: string },
): MediaRoute {
  return {
    owns: (path) => clipPath.test(path),
    permits: (url) => isPresigned(secret, url, clock.now()),
    file({ pathname }) {
      const media = clips.named(clipPath.exec(pathname)?.[1] ?? '');
      const file = media?.files.find(({ path }) => path === pathname);
      if (!media || !file) return notFound;
      const { type } = media;
      return { type, bytes: file.bytes, cacheControl: 'private, max-age=300', tag: media.name };
    },
  };
}

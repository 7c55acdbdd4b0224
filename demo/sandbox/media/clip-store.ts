// Finished clips by what they show, so that a text signed again costs nothing. Policy: least recently used out first,
// bounded in bytes (256 MB); a clip has one name, which is its address on the media origin. A clip that was pushed out is
// gone: its URL answers 404 and its result counts as expired.
import { createHash } from 'node:crypto';
import type { ClipSpec, EncodedClip, OnStage } from './clip.ts';

const MOST_BYTES = 256 * 1024 * 1024;

/** Makes clips; EncodePool in the service. */
export interface ClipEncoder {
  encode(spec: ClipSpec, onStage: OnStage): Promise<EncodedClip>;
}

export interface StoredClip extends EncodedClip {
  readonly name: string;
}

const nameOf = ({ text, signer, resolution }: ClipSpec): string =>
  createHash('sha256')
    .update(JSON.stringify([text, signer, resolution]))
    .digest('hex')
    .slice(0, 32);

export class ClipStore {
  readonly #encoder: ClipEncoder;
  readonly #mostBytes: number;
  readonly #clips = new Map<string, StoredClip>();
  #bytes = 0;

  constructor(encoder: ClipEncoder, mostBytes = MOST_BYTES) {
    this.#encoder = encoder;
    this.#mostBytes = mostBytes;
  }

  /** The clip of this text, from the store or made now; stages of one from the store take 0 ms. @throws EncodeError */
  async clipOf(spec: ClipSpec, onStage: OnStage): Promise<StoredClip> {
    const name = nameOf(spec);
    const stored = this.named(name);
    if (stored) {
      const stages = { text_to_gloss: 0, gloss_translation: 0, stream_generator: 0 };
      for (const stage of ['text_to_gloss', 'gloss_translation', 'stream_generator'] as const)
        onStage(stage, 0);
      return { ...stored, stages };
    }
    const clip = { ...(await this.#encoder.encode(spec, onStage)), name };
    this.#keep(clip);
    return clip;
  }

  /** The clip of this name, null when there is none (any more). */
  named(name: string): StoredClip | null {
    const clip = this.#clips.get(name);
    if (!clip) return null;
    this.#clips.delete(name);
    this.#clips.set(name, clip);
    return clip;
  }

  #keep(clip: StoredClip): void {
    this.#bytes -= this.#clips.get(clip.name)?.bytes.length ?? 0;
    this.#clips.delete(clip.name);
    this.#clips.set(clip.name, clip);
    this.#bytes += clip.bytes.length;
    for (const [name, { bytes }] of this.#clips) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#clips.delete(name);
      this.#bytes -= bytes.length;
    }
  }
}

// When a panel plays: not while nobody can see it, and on a page one panel at a time.
// - Playback that was paused because nobody could see the panel continues when the panel is visible again. After a pause by the
//   visitor or another panel it does not.

/** An element that can be a panel. */
export interface PanelHost extends HTMLElement {
  open: boolean;
  readonly launcher: boolean;
  readonly remember: 'site' | 'none';
  readonly placement: string;
  readonly media: HTMLVideoElement | null;
  readonly paused: boolean;
  readonly ended: boolean;
  play(): Promise<void>;
  pause(): void;
}

/** The panels that can be seen. */
const seen = new Set<PanelPlayback>();

export class PanelPlayback {
  readonly #host: PanelHost;
  #resumes = false;

  constructor(host: PanelHost) {
    this.#host = host;
    host.addEventListener('playing', () => {
      // A `play` event may come late, after the element was paused.
      if (host.paused || host.placement === 'inline') return;
      if (!seen.has(this)) return this.#hold();
      // The idle signer pauses no other panel.
      if (host.localName === 'sign-silence-loop') return;
      // A panel that shows nothing counts as paused and is left alone: after `pause()` its next text would wait for the visitor.
      for (const other of seen) if (other !== this && !other.#host.paused) other.#host.pause();
    });
  }

  setSeen(isSeen: boolean): void {
    if (!isSeen) {
      seen.delete(this);
      this.#hold();
      return;
    }
    seen.add(this);
    if (!this.#resumes) return;
    this.#resumes = false;
    void this.#host.play().catch(() => {});
  }

  /** Ends these rules for the element. */
  release(): void {
    seen.delete(this);
    this.#resumes = false;
  }

  #hold(): void {
    const { media, paused, ended } = this.#host;
    if (!media || paused || ended) return;
    this.#resumes = true;
    this.#host.pause();
  }
}

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
      // The event of one that was paused meanwhile may come late.
      if (host.paused || host.placement === 'inline') return;
      if (!seen.has(this)) return this.#hold();
      // The idle signer pauses no other panel.
      if (host.localName === 'sign-silence-loop') return;
      // The next text of a panel that shows nothing would wait for the visitor after a pause.
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

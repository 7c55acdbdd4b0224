// Follows the visible `<video>` of a box, and each frame that it shows.
// - The visible one is found as the style sheet stacks them: the last one with the class `shown`, else the last one.
// - A MutationObserver watches the box itself, so that clips, streams and the idle signer are followed in one way.

interface SourceVideoEvents {
  /** Another video, or none, is the source now. */
  changed(): void;
  /** There is a frame to be drawn; `now` in milliseconds of performance.now(). */
  frame(now: number): void;
  /** A seek, a stall or a pause: frames do not come at their usual rate. */
  disturbed(): void;
}

export class SourceVideo {
  readonly #root: ParentNode & Node;
  readonly #events: SourceVideoEvents;
  readonly #observer = new MutationObserver(() => this.#find());
  #video: HTMLVideoElement | null = null;
  #listening = new AbortController();
  #request = 0;

  constructor(root: ParentNode & Node, events: SourceVideoEvents) {
    this.#root = root;
    this.#events = events;
  }

  get video(): HTMLVideoElement | null {
    return this.#video;
  }

  /** While it fades in or out, as the idle signer does: its opacity, and the video that is visible behind it. */
  get fade(): { readonly opacity: number; readonly behind: HTMLVideoElement | null } {
    const video = this.#video;
    if (!video?.getAnimations().length) return { opacity: 1, behind: null };
    const behind = visibleOf([...this.#root.querySelectorAll('video')].filter((other) => other !== video));
    return { opacity: Number(getComputedStyle(video).opacity), behind };
  }

  /** Finds the video now, and follows it until `stop()`. */
  start(): void {
    this.#observer.observe(this.#root, { subtree: true, childList: true, attributeFilter: ['class'] });
    this.#find();
  }

  stop(): void {
    this.#observer.disconnect();
    this.#leave();
  }

  #find(): void {
    const video = visibleOf([...this.#root.querySelectorAll('video')]);
    if (video === this.#video) return;
    this.#leave();
    this.#video = video;
    if (video) this.#follow(video);
    this.#events.changed();
  }

  #follow(video: HTMLVideoElement): void {
    const { signal } = this.#listening;
    const next = (): void => {
      this.#request = video.requestVideoFrameCallback((now) => {
        next();
        this.#events.frame(now);
      });
    };
    next();
    // requestVideoFrameCallback does not report a frame that was on screen before.
    for (const type of ['loadeddata', 'seeked']) {
      video.addEventListener(type, () => this.#events.frame(performance.now()), { signal });
    }
    for (const type of ['seeking', 'waiting', 'pause', 'emptied']) {
      video.addEventListener(type, () => this.#events.disturbed(), { signal });
    }
  }

  #leave(): void {
    this.#video?.cancelVideoFrameCallback(this.#request);
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#video = null;
  }
}

const visibleOf = (videos: readonly HTMLVideoElement[]): HTMLVideoElement | null =>
  videos.findLast(({ classList }) => classList.contains('shown')) ?? videos.at(-1) ?? null;

// The `<video>` that a visitor sees of those that lie in a box, and each frame that it shows. Policy: the one in front is
// found as the style sheet stacks them (the last one of class `front`, else the last one), told by what is in the box and
// not by who put it there, so that clips, streams, the signer at rest and whatever comes later are followed in one way.

export interface FrontVideoEvents {
  /** Another video, or none, is in front. */
  changed(): void;
  /** There is a frame to be drawn; `now` in milliseconds of performance.now(). */
  frame(now: number): void;
  /** Frames do not come at their usual pace for a moment. */
  disturbed(): void;
}

export class FrontVideo {
  readonly #root: ParentNode & Node;
  readonly #events: FrontVideoEvents;
  readonly #observer = new MutationObserver(() => this.#find());
  #video: HTMLVideoElement | null = null;
  #listening = new AbortController();
  #request = 0;

  constructor(root: ParentNode & Node, events: FrontVideoEvents) {
    this.#root = root;
    this.#events = events;
  }

  get video(): HTMLVideoElement | null {
    return this.#video;
  }

  /** While it is faded in or out, as the signer at rest is: how much of it is seen, and the video seen through it. */
  get fade(): { readonly share: number; readonly behind: HTMLVideoElement | null } {
    const video = this.#video;
    if (!video?.getAnimations().length) return { share: 1, behind: null };
    const behind = frontOf([...this.#root.querySelectorAll('video')].filter((other) => other !== video));
    return { share: Number(getComputedStyle(video).opacity), behind };
  }

  /** It is found at once and followed until `end()`. */
  begin(): void {
    this.#observer.observe(this.#root, { subtree: true, childList: true, attributeFilter: ['class'] });
    this.#find();
  }

  end(): void {
    this.#observer.disconnect();
    this.#leave();
  }

  #find(): void {
    const video = frontOf([...this.#root.querySelectorAll('video')]);
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
    // A frame that was on screen before is not told once more.
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

const frontOf = (videos: readonly HTMLVideoElement[]): HTMLVideoElement | null =>
  videos.findLast(({ classList }) => classList.contains('front')) ?? videos.at(-1) ?? null;

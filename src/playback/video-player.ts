// A player with a `<video>`: starts it, and hears what the browser and the visitor do with it.
// - It is loaded with the code of clips, streams and the idle signer, and not with the page.
// - While the page is hidden it holds a picture that nobody sees, as Chromium does and Firefox does not.
// - A start that the browser refuses without a gesture blocks the player; `play()` from a gesture ends that.
import { Player, type PlayerSettings } from './player.ts';

/**
 * WebKitGTK continues to play when it is paused while it starts (bugs.webkit.org 259775). So a video that plays within this number
 * of milliseconds after a pause is paused again; no visitor plays it so soon from another window.
 */
const UNDONE_MS = 250;

/** The page is hidden, and the video is neither heard nor in a window of its own. */
export const isUnseen = (video: HTMLVideoElement): boolean =>
  document.hidden &&
  video.ownerDocument === document &&
  video.muted &&
  (video.getRootNode() as Partial<DocumentOrShadowRoot>).pictureInPictureElement !== video;

export abstract class VideoPlayer extends Player {
  #pausedAt = -Infinity;

  override async play(): Promise<void> {
    this.intend(true);
    await this.start();
    if (this.blocked) throw new DOMException('playback needs a gesture', 'NotAllowedError');
  }

  override pause(): void {
    super.pause();
    this.media?.pause();
    this.#pausedAt = performance.now();
  }

  override resume(): void {
    if (!this.paused && this.media?.paused && !this.media.ended) void this.start();
  }

  /** True while the player itself holds the picture: it must not be started, and a pause is not the visitor's. */
  protected get held(): boolean {
    return false;
  }

  /** True when a video whose sound is refused without a gesture plays muted; else it waits for the gesture. */
  protected get mutesToPlay(): boolean {
    return false;
  }

  /** Sets the videos to these settings. */
  protected abstract applyToVideos(settings: PlayerSettings): void;

  protected override apply(settings: PlayerSettings): void {
    const { media } = this;
    const ran = media?.paused === false;
    this.applyToVideos(settings);
    // Chromium pauses a video when a page unmutes it before the visitor's first gesture: this counts as a refused start.
    if (ran && media.paused) void this.start();
  }

  /** The page was hidden, or is visible again. */
  protected onVisibility(): void {
    if (!document.hidden) this.resume();
    else if (this.media && isUnseen(this.media)) this.media.pause();
  }

  /** Plays the video on screen; never rejects. */
  protected async start(): Promise<void> {
    const { media } = this;
    if (!media || media.ended || this.held || isUnseen(media)) return;
    const outcome = await startVideo(media, this.mutesToPlay);
    if (media !== this.media) return;
    if (outcome === 'muted') this.muted = true;
    if (outcome === 'refused') this.block();
  }

  /**
   * The video on screen has fired this event. The visitor may have caused it, by picture-in-picture or a media key.
   * @param begins a clip follows another one and has no frame on screen: WebKitGTK pauses late at the end of the one before
   */
  protected onVideoToggled(type: 'play' | 'pause', begins?: boolean): void {
    const { media } = this;
    if (!media || media.paused !== (type === 'pause')) return;
    if (type === 'play') {
      if (this.wanted && !this.blocked) return;
      if (performance.now() - this.#pausedAt < UNDONE_MS) media.pause();
      else this.tryToPlay();
      return;
    }
    // The browser itself pauses when the page is hidden, when the element is moved, at the end, and after a media error.
    if (media.ended || media.error || document.hidden || !media.isConnected) return;
    if (begins) this.resume();
    else if (!this.held && !this.blocked) this.intend(false);
  }
}

/** `muted`: it plays, but without its sound. `other`: something else interrupted the start, for example a new load. */
type StartOutcome = 'playing' | 'muted' | 'refused' | 'other';

async function startVideo(video: HTMLVideoElement, mutes: boolean): Promise<StartOutcome> {
  const tryToPlay = (): Promise<StartOutcome> =>
    video.play().then(
      () => 'playing',
      (error: unknown) =>
        error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'other',
    );
  const outcome = await tryToPlay();
  if (outcome !== 'refused' || !mutes || video.muted) return outcome;
  video.muted = true;
  const secondOutcome = await tryToPlay();
  if (secondOutcome === 'playing') return 'muted';
  video.muted = false;
  return secondOutcome;
}

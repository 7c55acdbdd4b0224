// Whether a signer at rest can be seen. Policy: any part of the element in the viewport of a page that shows, or a window
// of picture-in-picture, which floats over other pages; nothing moves a picture that nobody sees.

/** Tells soon, and then whenever it changes, until the signal aborts. */
export function watchSight(element: Element, tell: (seen: boolean) => void, signal: AbortSignal): void {
  let inView = false;
  let floating = false;
  let told: boolean | null = null;
  const look = (): void => {
    const seen = floating || (inView && !document.hidden);
    if (seen !== told) tell((told = seen));
  };
  const observer = new IntersectionObserver((entries) => {
    inView = entries.at(-1)?.isIntersecting ?? false;
    look();
  });
  observer.observe(element);
  signal.addEventListener('abort', () => observer.disconnect());
  document.addEventListener('visibilitychange', look, { signal });
  const float = ({ type }: Event): void => {
    floating = type === 'enterpictureinpicture';
    look();
  };
  element.addEventListener('enterpictureinpicture', float, { signal });
  element.addEventListener('leavepictureinpicture', float, { signal });
}

// Whether a WebM with transparency (document 1, `bgColour` of `-1,-1,-1`) is transparent here. Policy: a browser that plays
// WebM may do so on black, so one frame of nothing is played and its pixel read, once a page. When it is
// not there after 3 s that counts as no, for this time.
import { signerVideo } from './signer-video.ts';

const LONGEST_MS = 3000;
const TYPE = 'video/webm; codecs="vp9"';

/** VP9 with alpha, 32 by 16 pixels: the left half is white, the right half transparent. */
const FILM =
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAHbEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHGTbuMU6uE' +
  'ElTDZ1OsggEQTbuMU6uEHFO7a1OsggHF7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBNgIRMYXZmV0GETGF2ZkSJiEBEAAAAAAAAFlSua8WuAQAAAAAAADzX' +
  'gQFzxYgAAAAAAAAAAZyBACK1nIN1bmSIgQCGhVZfVlA5g4EBI+ODhAJiWgDgjbCBILqBEJqBAlPAgQESVMNn1XNz0mPAi2PFiAAAAAAAAAABZ8icRaOH' +
  'RU5DT0RFUkSHj0xhdmMgbGlidnB4LXZwOWfIokWjiERVUkFUSU9ORIeUMDA6MDA6MDAuMDQwMDAwMDAwAAAfQ7Z11ueBAKDRoaKBAAAAgkmDQgAB8AD2' +
  'ADgkHBgeAAAwYAAAIj///rgliZAAdaGqpqjugQGlo4JJg0IAAfAA9gA4JBwYHgAAMGAAAA0e///1yAT///to5AAAHFO7a5G7j7OBALeK94EB8YIBavCB' +
  'Aw==';
const [WHITE, NOTHING] = [8, 24];

let answer: Promise<boolean | null> | null = null;

export async function playsAlphaWebm(): Promise<boolean> {
  const known = await (answer ??= probe().catch(() => false));
  // A machine that was busy says nothing of the next time.
  if (known === null) answer = null;
  return known ?? false;
}

/** Null when it took too long. */
async function probe(): Promise<boolean | null> {
  const video = signerVideo();
  if (!video.canPlayType(TYPE)) return false;
  const bytes = Uint8Array.from(atob(FILM), (letter) => letter.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: TYPE }));
  try {
    const loading = new Promise<boolean | null>((resolve) => {
      video.onloadeddata = () => resolve(true);
      video.onerror = () => resolve(false);
      setTimeout(() => resolve(null), LONGEST_MS);
    });
    video.src = url;
    const loaded = await loading;
    if (!loaded) return loaded;
    const context = document.createElement('canvas').getContext('2d');
    context?.drawImage(video, 0, 0);
    const alphaAt = (x: number): number => context?.getImageData(x, 8, 1, 1).data[3] ?? 0;
    return alphaAt(WHITE) > 128 && alphaAt(NOTHING) < 128;
  } finally {
    URL.revokeObjectURL(url);
    video.removeAttribute('src');
    video.load();
  }
}

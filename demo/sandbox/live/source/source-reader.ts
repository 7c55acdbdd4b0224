// Fetches the files of one source that is being probed.
// - A playlist has at most 1 MB and a media file 32 MB; one probe reads at most 96 MB, for at most 60 s.
// - A file that cannot be fetched gives HLS_INPUT_UNREACHABLE, a playlist that cannot be parsed HLS_INPUT_MALFORMED (document 2,
//   Live error codes).
import { CappedFetchError, fetchCapped, type Fetched } from '../../capped-fetch.ts';
import type { SandboxClock } from '../../clock.ts';
import { LiveError } from '../live-error.ts';
import { parsePlaylist, PlaylistError, type Playlist, type PlaylistFile } from './playlist.ts';

const MOST_MS = 60_000;
const PLAYLIST_BYTES = 1_000_000;
const SEGMENT_BYTES = 32_000_000;
const MOST_BYTES = 96_000_000;

/** The source's manifest cannot be pulled. */
export const malformed = (url: string, why: string): LiveError =>
  new LiveError('HLS_INPUT_MALFORMED', `the manifest ${why}`, { url });

/** Fetches the files of one source, within the limits of one probe. */
export class SourceReader {
  readonly #clock: SandboxClock;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;
  readonly #cancel: () => void;
  #left = MOST_BYTES;

  /** @param closing aborts the requests */
  constructor(clock: SandboxClock, closing: AbortSignal) {
    this.#clock = clock;
    this.#signal = AbortSignal.any([this.#abort.signal, closing]);
    this.#cancel = clock.after(MOST_MS, () => this.#abort.abort());
  }

  /** Aborts when the time of this probe is over, and when the reader or the sandbox closes. */
  get over(): AbortSignal {
    return this.#signal;
  }

  /** @throws LiveError HLS_INPUT_UNREACHABLE when `over` has aborted, with the address of the file that was being read */
  assertGoesOn(url: string): void {
    if (this.#signal.aborted) throw this.#unreachable(url, 'cannot be read');
  }

  /** Ends all requests; no file is fetched after that. */
  close(): void {
    this.#cancel();
    this.#abort.abort();
  }

  /** @throws LiveError HLS_INPUT_UNREACHABLE, HLS_INPUT_MALFORMED */
  async playlist(url: string): Promise<Playlist> {
    const { bytes, url: end } = await this.#fetch(url, PLAYLIST_BYTES);
    try {
      return parsePlaylist(bytes.toString('utf8'), end);
    } catch (error) {
      if (error instanceof PlaylistError) throw malformed(url, error.message);
      throw error;
    }
  }

  /** @throws LiveError HLS_INPUT_UNREACHABLE */
  async file({ url, range }: PlaylistFile): Promise<Buffer> {
    if (!range) return (await this.#fetch(url, SEGMENT_BYTES)).bytes;
    const { from, length } = range;
    const headers = { Range: `bytes=${from}-${from + length - 1}` };
    const { bytes } = await this.#fetch(url, SEGMENT_BYTES, headers);
    // A server without range requests sends the whole file.
    return bytes.length > length ? bytes.subarray(from, from + length) : bytes;
  }

  async #fetch(url: string, most: number, headers: Readonly<Record<string, string>> = {}): Promise<Fetched> {
    try {
      const mostBytes = Math.min(most, this.#left);
      const fetched = await fetchCapped(url, {
        clock: this.#clock,
        mostBytes,
        headers,
        signal: this.#signal,
      });
      this.#left -= fetched.bytes.length;
      return fetched;
    } catch (error) {
      if (!(error instanceof CappedFetchError)) throw error;
      throw this.#unreachable(url, error.message);
    }
  }

  #unreachable(url: string, inTime: string): LiveError {
    const reason = this.#abort.signal.aborted ? `takes more than ${MOST_MS / 1000} s in all` : inTime;
    return new LiveError('HLS_INPUT_UNREACHABLE', `the source ${reason}`, { url, reason });
  }
}

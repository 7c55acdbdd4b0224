// From a clip's bytes to what a SourceBuffer takes.
// - The remuxer is a chunk of its own, on its way from the moment a reader is made.
// - One film is kept, for the clip that is next.
// - A clip that is only an address (a media host without CORS) cannot be read.
import type { PlaylistItem } from './playlist.ts';
import type { Remuxed } from '../mp4/remux.ts';

export class FilmReader {
  readonly #remuxer = import('../mp4/remux.ts');
  #kept: { readonly entry: PlaylistItem; readonly film: Remuxed } | null = null;

  constructor() {
    // It is told to whoever reads.
    this.#remuxer.catch(() => {});
  }

  has(entry: PlaylistItem): boolean {
    return this.#kept?.entry === entry;
  }

  /** @throws RemuxError, or the import's own error when the remuxer cannot be loaded. */
  async read(entry: PlaylistItem): Promise<Remuxed> {
    if (this.#kept?.entry === entry) return this.#kept.film;
    const { playable } = entry;
    if (!playable || typeof playable === 'string') throw new Error('these bytes cannot be read');
    const { remux } = await this.#remuxer;
    const film = remux(playable.bytes);
    this.#kept = { entry, film };
    return film;
  }

  forget(): void {
    this.#kept = null;
  }
}

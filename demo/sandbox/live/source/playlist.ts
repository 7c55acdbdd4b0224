// Parses an HLS playlist, as far as probing a source and signing its captions need it (RFC 8216).
// - A playlist without a version, or with neither segments nor variants, is parsed; source-probe.ts refuses it.
// - At most 5000 segments, variants and renditions in all.
// - Only http(s) addresses are followed. An address is resolved only when it is used, because each resolved address may be as long
//   as that of the playlist.
// - Unknown tags are skipped.
// - Written here because m3u8-parser 7.2 drops segments without a duration, EXT-X-SESSION-KEY and renditions without a name, and
//   needs time that grows with the square of a hostile attribute list.
import { isWebAddress } from '../../capped-fetch.ts';

const MOST_ENTRIES = 5000;

export class PlaylistError extends Error {
  override readonly name = 'PlaylistError';
}

/** A part of a file: `length` bytes from `from`. */
interface ByteRange {
  readonly from: number;
  readonly length: number;
}

export interface PlaylistFile {
  /** @throws PlaylistError when it is no http(s) address */
  readonly url: string;
  /** Null for the whole file. */
  readonly range: ByteRange | null;
}

export interface Segment extends PlaylistFile {
  /** Its address as it is written. */
  readonly uri: string;
  readonly seconds: number;
  /** Its initialisation section (fMP4). */
  readonly init: PlaylistFile | null;
}

interface Variant {
  /** @throws PlaylistError when it is no http(s) address */
  readonly url: string;
  readonly bandwidth: number;
  /**
   * Playlist of its separate audio; null when the sound is in the variant's own segments.
   * @throws PlaylistError when it is no http(s) address
   */
  readonly audioUrl: string | null;
}

export interface Playlist {
  /** Null when the playlist does not say it. */
  readonly version: number | null;
  readonly isEncrypted: boolean;
  readonly isEnded: boolean;
  /** Empty unless this is a multivariant playlist. */
  readonly variants: readonly Variant[];
  /** Playlist of its captions: the default ones, else the first; null when there are none. */
  readonly captionsUrl: string | null;
  /** Its segments in order, one row for each range without a discontinuity; a row has one clock. No row is empty. */
  readonly rows: readonly (readonly Segment[])[];
}

type Attributes = ReadonlyMap<string, string>;

/** Reads attributes from the front, up to the first that is malformed, in a time that is linear in the text's length. */
function attributesOf(text: string): Attributes {
  const attribute = /([A-Z0-9-]+)=(?:"([^"]*)"|([^,]*)),?/y;
  const attributes = new Map<string, string>();
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, name, quoted, plain] = found;
    attributes.set(name!, quoted ?? plain!);
  }
  return attributes;
}

/** `<length>[@<from>]`; without a start the range begins where the range before it ended. */
function rangeOf(text: string, previousEnd: number): ByteRange {
  const [, length, from] = /^(\d{1,12})(?:@(\d{1,12}))?$/.exec(text) ?? [];
  if (length === undefined) throw new PlaylistError('has a malformed byte range');
  return { length: Number(length), from: from === undefined ? previousEnd : Number(from) };
}

/** Null when it is no http(s) address. */
function webAddress(uri: string, base: string): string | null {
  const url = URL.canParse(uri, base) ? new URL(uri, base).href : '';
  return isWebAddress(url) ? url : null;
}

function address(uri: string, base: string): string {
  const url = webAddress(uri, base);
  if (url === null) throw new PlaylistError('names an address that is not http or https');
  return url;
}

/** Keeps the address of the default rendition, or of the first one when there is no default. */
class Rendition {
  #uri: string | null = null;

  get uri(): string | null {
    return this.#uri;
  }

  offer(uri: string, isDefault: boolean): void {
    if (this.#uri === null || isDefault) this.#uri = uri;
  }
}

class PlaylistParser {
  readonly #base: string;
  /** By group. */
  readonly #audio = new Map<string, Rendition>();
  readonly #captions = new Rendition();
  readonly #variants: Variant[] = [];
  #entries = 0;
  #version: number | null = null;
  #isEncrypted = false;
  #isEnded = false;
  readonly #rows: Segment[][] = [[]];
  #init: PlaylistFile | null = null;
  #seconds: number | null = null;
  #range: ByteRange | null = null;
  #rangesEnd = 0;
  #variant: Attributes | null = null;

  constructor(base: string) {
    this.#base = base;
  }

  tag(name: string, value: string): void {
    if (name === 'EXT-X-VERSION') this.#version = /^\d{1,3}$/.test(value) ? Number(value) : null;
    else if (name === 'EXTINF') this.#seconds = Number.parseFloat(value);
    else if (name === 'EXT-X-BYTERANGE') this.#range = rangeOf(value, this.#rangesEnd);
    else if (name === 'EXT-X-DISCONTINUITY') this.#rows.push([]);
    else if (name === 'EXT-X-ENDLIST') this.#isEnded = true;
    else if (name === 'EXT-X-STREAM-INF') this.#variant = attributesOf(value);
    else if (name === 'EXT-X-MAP') this.#map(attributesOf(value));
    else if (name === 'EXT-X-MEDIA') this.#rendition(attributesOf(value));
    else if (name === 'EXT-X-KEY' || name === 'EXT-X-SESSION-KEY') {
      this.#isEncrypted ||= attributesOf(value).get('METHOD') !== 'NONE';
    }
  }

  uri(uri: string): void {
    this.#count();
    const variant = this.#variant;
    this.#variant = null;
    if (variant) this.#variants.push(this.#variantOf(uri, variant));
    else this.#segment(uri);
  }

  playlist(): Playlist {
    const captions = this.#captions.uri;
    return {
      version: this.#version,
      isEncrypted: this.#isEncrypted,
      isEnded: this.#isEnded,
      variants: this.#variants,
      captionsUrl: captions && webAddress(captions, this.#base),
      rows: this.#rows.filter((row) => row.length > 0),
    };
  }

  #count(): void {
    this.#entries += 1;
    if (this.#entries > MOST_ENTRIES) throw new PlaylistError(`names more than ${MOST_ENTRIES} addresses`);
  }

  #segment(uri: string): void {
    const seconds = this.#seconds;
    if (seconds === null || !(seconds > 0)) throw new PlaylistError('has a segment without a duration');
    const [base, range, init] = [this.#base, this.#range, this.#init];
    this.#rows.at(-1)!.push({
      uri,
      seconds,
      range,
      init,
      get url() {
        return address(uri, base);
      },
    });
    this.#rangesEnd = range ? range.from + range.length : 0;
    this.#seconds = null;
    this.#range = null;
  }

  #variantOf(uri: string, attributes: Attributes): Variant {
    const base = this.#base;
    const bandwidth = Number(attributes.get('BANDWIDTH') ?? 0);
    // The renditions of its group may come later in the file.
    const group = attributes.get('AUDIO');
    const sound = (): string | null => (group !== undefined && this.#audio.get(group)?.uri) || null;
    return {
      bandwidth: Number.isFinite(bandwidth) ? bandwidth : 0,
      get url() {
        return address(uri, base);
      },
      get audioUrl() {
        const found = sound();
        return found && address(found, base);
      },
    };
  }

  #map(attributes: Attributes): void {
    const [base, uri, range] = [this.#base, attributes.get('URI'), attributes.get('BYTERANGE')];
    if (uri === undefined) throw new PlaylistError('has an initialisation section without an address');
    this.#init = {
      range: range === undefined ? null : rangeOf(range, 0),
      get url() {
        return address(uri, base);
      },
    };
  }

  #rendition(attributes: Attributes): void {
    this.#count();
    const [type, group, uri] = ['TYPE', 'GROUP-ID', 'URI'].map((name) => attributes.get(name));
    if (uri === undefined || group === undefined) return;
    const isDefault = attributes.get('DEFAULT') === 'YES';
    if (type === 'SUBTITLES') this.#captions.offer(uri, isDefault);
    if (type !== 'AUDIO') return;
    if (!this.#audio.has(group)) this.#audio.set(group, new Rendition());
    this.#audio.get(group)!.offer(uri, isDefault);
  }
}

/** @param base address of the playlist @throws PlaylistError */
export function parsePlaylist(text: string, base: string): Playlist {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0]?.replace(/^\uFEFF/, '') !== '#EXTM3U') throw new PlaylistError('is no HLS playlist');
  const parser = new PlaylistParser(base);
  for (const line of lines.slice(1)) {
    const [, name, value] = /^#(EXT[A-Z0-9-]*)(?::(.*))?$/.exec(line) ?? [];
    if (name !== undefined) parser.tag(name, value ?? '');
    else if (line !== '' && !line.startsWith('#')) parser.uri(line);
  }
  return parser.playlist();
}

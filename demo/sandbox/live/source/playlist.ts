// An HLS playlist, as far as probing a source needs it (RFC 8216). Policy: a playlist says its own version; a version that
// is not there, or no segment and no variant, is no playlist that can be pulled (document 2, HLS_INPUT_MALFORMED); only
// http(s) addresses are followed; unknown tags are passed over.
import { isWebAddress } from '../../capped-fetch.ts';

export class PlaylistError extends Error {
  override readonly name = 'PlaylistError';
}

/** A part of a file: `length` bytes from `from`. */
export interface ByteRange {
  readonly from: number;
  readonly length: number;
}

export interface PlaylistFile {
  readonly url: string;
  /** Null for the whole file. */
  readonly range: ByteRange | null;
}

export interface Segment extends PlaylistFile {
  readonly seconds: number;
  /** Its initialisation section (fMP4). */
  readonly init: PlaylistFile | null;
}

export interface Variant {
  readonly url: string;
  readonly bandwidth: number;
  /** Playlist of its separate audio; null when the sound is in the variant's own segments. */
  readonly audioUrl: string | null;
}

export interface Playlist {
  /** Null when it does not say. */
  readonly version: number | null;
  readonly isEncrypted: boolean;
  readonly isEnded: boolean;
  /** In a multivariant playlist; else empty. */
  readonly variants: readonly Variant[];
  /** Its segments, in order: those between two discontinuities share a clock. No row is empty. */
  readonly rows: readonly (readonly Segment[])[];
}

type Attributes = ReadonlyMap<string, string>;

/** Read from the front as far as it is a list: never twice over the same characters, however long it is. */
function attributesOf(text: string): Attributes {
  const attribute = /([A-Z0-9-]+)=(?:"([^"]*)"|([^,]*)),?/y;
  const attributes = new Map<string, string>();
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    const [, name, quoted, plain] = found;
    attributes.set(name!, quoted ?? plain!);
  }
  return attributes;
}

/** `<length>[@<from>]`; without a start it goes on where the range before it ended. */
function rangeOf(text: string, goOnFrom: number): ByteRange {
  const [, length, from] = /^(\d{1,12})(?:@(\d{1,12}))?$/.exec(text) ?? [];
  if (length === undefined) throw new PlaylistError('has a byte range that is none');
  return { length: Number(length), from: from === undefined ? goOnFrom : Number(from) };
}

function address(line: string | undefined, base: string): string {
  const url = line !== undefined && URL.canParse(line, base) ? new URL(line, base).href : '';
  if (!isWebAddress(url)) throw new PlaylistError('names an address that is not http or https');
  return url;
}

class Reading {
  readonly #base: string;
  readonly #audio = new Map<string, string>();
  readonly #variants: { url: string; bandwidth: number; audio: string | undefined }[] = [];
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

  uri(line: string): void {
    if (this.#variant) {
      const bandwidth = Number(this.#variant.get('BANDWIDTH') ?? 0);
      this.#variants.push({
        url: address(line, this.#base),
        bandwidth: Number.isFinite(bandwidth) ? bandwidth : 0,
        audio: this.#variant.get('AUDIO'),
      });
      this.#variant = null;
      return;
    }
    const seconds = this.#seconds;
    if (seconds === null || !(seconds > 0)) throw new PlaylistError('has a segment without a duration');
    const range = this.#range;
    this.#rows.at(-1)!.push({ url: address(line, this.#base), range, seconds, init: this.#init });
    this.#rangesEnd = range ? range.from + range.length : 0;
    this.#seconds = null;
    this.#range = null;
  }

  playlist(): Playlist {
    return {
      version: this.#version,
      isEncrypted: this.#isEncrypted,
      isEnded: this.#isEnded,
      variants: this.#variants.map(({ url, bandwidth, audio }) => ({
        url,
        bandwidth,
        audioUrl: (audio !== undefined && this.#audio.get(audio)) || null,
      })),
      rows: this.#rows.filter((row) => row.length > 0),
    };
  }

  #map(attributes: Attributes): void {
    const range = attributes.get('BYTERANGE');
    this.#init = {
      url: address(attributes.get('URI'), this.#base),
      range: range === undefined ? null : rangeOf(range, 0),
    };
  }

  #rendition(attributes: Attributes): void {
    const [group, uri] = [attributes.get('GROUP-ID'), attributes.get('URI')];
    if (attributes.get('TYPE') !== 'AUDIO' || group === undefined || uri === undefined) return;
    if (!this.#audio.has(group) || attributes.get('DEFAULT') === 'YES') {
      this.#audio.set(group, address(uri, this.#base));
    }
  }
}

/** @param base address it came from @throws PlaylistError */
export function parsePlaylist(text: string, base: string): Playlist {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0]?.replace(/^\uFEFF/, '') !== '#EXTM3U') throw new PlaylistError('is no HLS playlist');
  const reading = new Reading(base);
  for (const line of lines.slice(1)) {
    const [, name, value] = /^#(EXT[A-Z0-9-]*)(?::(.*))?$/.exec(line) ?? [];
    if (name !== undefined) reading.tag(name, value ?? '');
    else if (line !== '' && !line.startsWith('#')) reading.uri(line);
  }
  return reading.playlist();
}

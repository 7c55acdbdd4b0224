// Finds an address in an answer whose field names are not documented: manifests, media of jobs and silence, downloads.
// - Known names come first. Else the only http(s) address of the right kind is taken: by the extension of its path, then by
//   its type (a media type beside it, or a field that is named after the kind).
// - When two different addresses fit, the result is null: a guess could show another person's words.
// - At most 8 levels, 2,000 values and addresses of 8,192 characters are read. Only http(s) addresses are returned.
import { httpUrl } from './http-url.ts';

export type UrlKind = 'hls' | 'dash' | 'video';

const MAX_LEVELS = 8;
const MAX_VALUES = 2_000;
const MAX_URL_LENGTH = 8_192;
const MAX_NAME_LENGTH = 128;

const extensions: Readonly<Record<UrlKind, RegExp>> = {
  hls: /^m3u8?$/,
  dash: /^mpd$/,
  video: /^(mp4|m4v|mov|webm)$/,
};

/** Media types (RFC 6838, without parameters) and field names that tell the kind. */
const types: Readonly<Record<UrlKind, RegExp>> = {
  hls: /^(application|audio)\/(x-|vnd\.apple\.)?mpegurl$|^(signed_?)?((ll|hls|m3u8|manifest|playlist|stream)_?)+(ur[il])?$/,
  dash: /^application\/dash\+xml$|^dash(_?url)?$|^mpd$/,
  video:
    /^video\/(mp4|webm|quicktime|x-m4v)$|^((mp4|webm|mov|video|media|file|download|presigned|signed)_?)+(ur[il])?$/,
};

interface Found {
  readonly url: string;
  /** Field names from the root, separated by dots. An index counts as a name; that of a list of one value is left out. */
  readonly path: string;
  /** Extension of the address's path in small letters, empty when it has none. */
  readonly extension: string;
  /** The field's name and the media types beside it. */
  readonly hints: readonly string[];
}

interface Value {
  readonly value: unknown;
  readonly path: string;
}

const isKind = (kind: UrlKind, { extension }: Found): boolean => extensions[kind].test(extension);

const hasType = (kind: UrlKind, { extension, hints }: Found): boolean =>
  extension === '' && hints.some((hint) => types[kind].test(hint));

/**
 * The address of this kind in an answer, as the URL parser spells it.
 * @param known names in order of preference; `manifests.hls` is the field `hls` in `manifests`, at any depth
 * @returns null when there is none, or when several fit
 */
export function findUrl(answer: unknown, kind: UrlKind, known: readonly string[]): string | null {
  const found = urlsIn(answer);
  for (const name of known) {
    const at = found.filter(({ path }) => `.${path}`.endsWith(`.${name}`));
    const named = at.find((each) => isKind(kind, each)) ?? at.find((each) => !isAnyKind(each));
    if (named) return named.url;
  }
  const ofKind = found.filter((each) => isKind(kind, each));
  return onlyOne(ofKind.length > 0 ? ofKind : found.filter((each) => hasType(kind, each)));
}

/** Every http(s) address in an answer, level by level, in the order of the answer. */
export const httpUrlsIn = (answer: unknown): string[] => urlsIn(answer).map(({ url }) => url);

const isAnyKind = (found: Found): boolean =>
  isKind('hls', found) || isKind('dash', found) || isKind('video', found);

function onlyOne(found: readonly Found[]): string | null {
  const urls = new Set(found.map(({ url }) => url));
  return urls.size === 1 ? (found[0]?.url ?? null) : null;
}

/** Level by level, so that a name near the root wins over the same name further down. */
function urlsIn(answer: unknown): Found[] {
  const found: Found[] = [];
  let level: readonly Value[] = [{ value: answer, path: '' }];
  let left = MAX_VALUES;
  for (let depth = 0; depth < MAX_LEVELS; depth += 1) {
    const below: Value[] = [];
    for (const { value, path } of level) {
      if (typeof value !== 'object' || value === null) continue;
      const fields = fieldsOf(value, left);
      left -= fields.length;
      let media: readonly string[] | null = null;
      for (const [name, inner] of fields) {
        const isOnlyOne = Array.isArray(value) && value.length === 1;
        const at = path === '' ? name : isOnlyOne ? path : `${path}.${name}`;
        below.push({ value: inner, path: at });
        const url = typeof inner === 'string' && inner.length <= MAX_URL_LENGTH ? httpUrl(inner) : null;
        if (url === null) continue;
        media ??= mediaTypes(fields);
        found.push({ url, path: at, extension: extensionOf(url), hints: [name.toLowerCase(), ...media] });
      }
    }
    level = below;
  }
  return found;
}

const fieldsOf = (value: object, most: number): [string, unknown][] =>
  Object.entries(value)
    .filter(([name]) => name.length <= MAX_NAME_LENGTH)
    .slice(0, most);

const extensionOf = (url: string): string =>
  /\.([a-z0-9]{1,5})$/.exec(new URL(url).pathname.toLowerCase())?.[1] ?? '';

/** Strings that could be media types, without their parameters. */
const mediaTypes = (fields: readonly [string, unknown][]): string[] =>
  fields.flatMap(([, value]) =>
    typeof value === 'string' && value.length <= MAX_NAME_LENGTH && value.includes('/')
      ? [value.replace(/;.*/s, '').trim().toLowerCase()]
      : [],
  );

/** Signed addresses of one stream; null where the service gave none. */
export interface StreamManifests {
  readonly hls: string | null;
  readonly dash: string | null;
}

const hlsNames = ['manifests.hls', 'manifest_url', 'manifestUrl', 'hls_url', 'hlsUrl', 'hls'];
const dashNames = ['manifests.dash', 'dash_url', 'dashUrl', 'dash'];

/** Null when the answer names no manifest at all. */
export function findManifests(answer: unknown): StreamManifests | null {
  const hls = findUrl(answer, 'hls', hlsNames);
  const dash = findUrl(answer, 'dash', dashNames);
  return hls === null && dash === null ? null : { hls, dash };
}

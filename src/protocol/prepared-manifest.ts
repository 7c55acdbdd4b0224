// The format of a prepared edition: `signs.json`, which a page and `sign-prepare` read alike (docs/prepared.md).
// - Two texts are the same when they differ only in white space, quotation marks, soft hyphens or characters without width.
// - A page plays a text that is `approved` (signed by the service) or `replaced` (signed by a person), and no other.
// - A file of another version is refused. Fields that this version does not know are kept.

export const MANIFEST_VERSION = 1;

export const TEXT_STATES = ['draft', 'approved', 'rejected', 'replaced'] as const;
export type TextState = (typeof TEXT_STATES)[number];

/** A text of an edition. */
export interface PreparedText {
  /** A hash of signer, language, resolution and key of the text: 32 hexadecimal digits. */
  readonly hash: string;
  /** As it is on the page, changed by the page's glossary. */
  readonly text: string;
  /** What is signed in its place. */
  readonly wording?: string;
  /** Path of the clip, relative to `signs.json`. */
  readonly file: string;
  readonly seconds: number;
  readonly bytes: number;
  readonly state: TextState;
  /** Why it was rejected, or what else the reviewer says. */
  readonly note: string;
  /** When the state was set (ISO 8601). */
  readonly date: string;
  /** Addresses or files that contained it when they were last read. */
  readonly pages: readonly string[];
  /** True when none of these pages contains it any more. */
  readonly stale?: boolean;
  /** Path of the clip that was replaced, relative to `signs.json`. */
  readonly before?: string;
}

export interface Manifest {
  readonly version: typeof MANIFEST_VERSION;
  readonly signer: string;
  readonly language: string;
  readonly resolution: string;
  readonly texts: readonly PreparedText[];
}

/** Printable ASCII with single spaces. */
const PLAIN = /^[!-~]+( [!-~]+)*$/;

/** Equal for texts that are the same for an edition. A plain text is its own key, which halves the time for a long list. */
export const textKey = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
        .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
        .replace(/[\u00ab\u00bb\u201c-\u201f\u2033]/g, '"')
        .replace(/\s+/g, ' ')
        .trim();

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A path below the manifest: relative, without a step upwards or a scheme. */
const FILE = /^(?!\/)(?!.*\.\.)[\w./-]+$/;

export const isClipFile = (value: unknown): value is string => typeof value === 'string' && FILE.test(value);

function isText(value: unknown): value is PreparedText {
  if (!isFields(value)) return false;
  const { hash, text, file, seconds, bytes, state } = value;
  const isMeasured = typeof seconds === 'number' && typeof bytes === 'number';
  const isState = TEXT_STATES.some((known) => known === state);
  return typeof hash === 'string' && typeof text === 'string' && isClipFile(file) && isMeasured && isState;
}

/** @throws Error that says what is wrong with it */
export function readManifest(value: unknown): Manifest {
  if (!isFields(value)) throw new Error('it is no JSON object');
  const { version, signer, language, resolution, texts } = value;
  if (version !== MANIFEST_VERSION)
    throw new Error(
      `its version is ${JSON.stringify(version)}, and this program reads version ${MANIFEST_VERSION}`,
    );
  if (typeof signer !== 'string' || typeof language !== 'string' || typeof resolution !== 'string')
    throw new Error('signer, language or resolution is missing');
  if (!Array.isArray(texts)) throw new Error('texts is no list');
  const wrong = texts.findIndex((text) => !isText(text));
  if (wrong >= 0) throw new Error(`texts[${wrong}] is not complete`);
  return value as unknown as Manifest;
}

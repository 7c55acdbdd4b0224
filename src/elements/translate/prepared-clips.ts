// The clips of a prepared edition (attribute `prepared`), which is loaded with the first text of an element that has one.
// - A text is played from the edition when its clip is of this signer and language, and was approved, or made by a person.
// - A clip that is missing, or has another size than the list gives, is requested by REST with the element's ticket.
// - The list is loaded once for each address, and has at most 32 MB. When it fails to load, or brings no byte for 10 s, this
//   reading or call of `sign()` continues without it, and the next one loads it again.
// - While the browser is offline, the list is waited for. With `only`, when no other clips can be signed, a list that may come
//   later (no answer, 408, 425, 429, 5xx) is tried again for a minute; then each text fails with `media_error`.
import { warnOnce } from '../../internal/page-settings.ts';
import { untilOnlineOr } from '../../internal/until-online.ts';
import type { ClipSource } from '../../playback/clips/clip-bytes.ts';
import { httpUrl } from '../../protocol/http-url.ts';
import { readManifest, textKey, type PreparedText } from '../../protocol/prepared-manifest.ts';
import { isFinalStatus, ownError } from '../../protocol/own-errors.ts';
import { generateBody } from '../../session/rest/generate.ts';
import { createSignClient } from '../../session/rest/rest-client.ts';
import { withTicket } from '../../session/ticket.ts';
import { ClipLabel, type ClipOrigin } from './clip-label.ts';
import type { SessionSettings } from './session-settings.ts';

export interface PreparedClip extends ClipSource {
  /** Null after the service has made another in its place. */
  origin: ClipOrigin;
}

interface Edition {
  readonly signer: string;
  readonly language: string;
  /** The texts that may be shown, by their key. */
  readonly texts: ReadonlyMap<string, PreparedText>;
}

/** Longest time without a byte. */
const STALL_MS = 10_000;
/** A further wait after that, in which a page that was busy reads what has arrived. */
const GRACE_MS = 100;
const MOST_BYTES = 32_000_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** How long a list with `only` is tried; time offline does not count. */
const FAILING_MS = 60_000;

/** A failure that no further try can mend. */
class Refused extends Error {}

const editions = new Map<string, Promise<Edition>>();

async function loadList(url: string): Promise<unknown> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitOn = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = setTimeout(() => stop.abort(new Error(`nothing came for ${STALL_MS / 1000} s`)), GRACE_MS);
    }, STALL_MS);
  };
  waitOn();
  try {
    const response = await fetch(url, { signal: stop.signal });
    const { ok, status } = response;
    if (!ok) throw new (isFinalStatus(status) ? Refused : Error)(`status ${status}`);
    return JSON.parse(await textOf(response, waitOn));
  } finally {
    clearTimeout(timer);
  }
}

async function textOf({ body }: Response, onBytes: () => void): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    onBytes();
    bytes += chunk.value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      throw new Refused(`larger than ${MOST_BYTES} bytes`);
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

async function loadEdition(url: string): Promise<Edition> {
  const { signer, language, texts } = readManifest(await loadList(url));
  const shown = texts.filter(({ state }) => state === 'approved' || state === 'replaced');
  return {
    signer: signer.toUpperCase(),
    language: language.toUpperCase(),
    texts: new Map(shown.map((text) => [textKey(text.text), text])),
  };
}

export class PreparedClips {
  /** True when only prepared texts are signed. */
  readonly only: boolean;
  readonly #url: string;
  readonly #edition: Edition | null;

  private constructor(url: string, only: boolean, edition: Edition | null) {
    this.#url = url;
    this.only = only;
    this.#edition = edition;
  }

  /** @param prepared the address of a `signs.json`, with or without the word `only` after it */
  static async load(prepared: string): Promise<PreparedClips> {
    const [place = '', ...words] = prepared.trim().split(/\s+/);
    // What is no address does not load.
    const url = httpUrl(place, document.baseURI) ?? place;
    const only = words.includes('only');
    let leftMs = only ? FAILING_MS : 0;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const begun = performance.now();
      const loading = editions.get(url) ?? loadEdition(url);
      editions.set(url, loading);
      try {
        return new PreparedClips(url, only, await loading);
      } catch (error) {
        if (editions.get(url) === loading) editions.delete(url);
        warnOnce(`prepared ${url}`, `the edition ${url} did not load: ${String(error)}`);
        // A try counts as no longer than this, because the page may be frozen meanwhile.
        if (navigator.onLine !== false) leftMs -= pauseMs + Math.min(performance.now() - begun, STALL_MS);
        if (error instanceof Refused || leftMs < 0) return new PreparedClips(url, only, null);
        await untilOnlineOr(pauseMs);
      }
    }
  }

  /**
   * Null when there is no clip of this text, signer and language.
   * @throws SignError when only prepared texts are signed: `not_found` in place of null, `media_error` when the list did not load
   */
  find(text: string, settings: SessionSettings): PreparedClip | null {
    if (this.only && !this.#edition) throw ownError('media_error', 'the prepared edition did not load');
    const clip = this.#find(text, settings);
    if (!clip && this.only) throw ownError('not_found', 'this text is not prepared');
    return clip;
  }

  #find(text: string, settings: SessionSettings): PreparedClip | null {
    const { digital_signer: signer, language } = settings.config;
    const edition = this.#edition;
    if (edition?.signer !== signer.toUpperCase() || edition.language !== language?.toUpperCase()) return null;
    const prepared = edition.texts.get(textKey(text));
    if (!prepared) return null;
    const clip: PreparedClip = {
      url: new URL(prepared.file, this.#url).href,
      origin: prepared.state === 'replaced' ? 'human' : 'reviewed',
      renew: async (signal) => {
        const url = await this.#newAddress(prepared.wording ?? text, settings, signal);
        clip.origin = null;
        return url;
      },
      // Many static hosts answer 200 with a page for a file that is missing.
      isWrong: (playable) =>
        clip.origin !== null && typeof playable !== 'string' && playable.bytes.length !== prepared.bytes,
    };
    return clip;
  }

  /** The address of a clip that the service makes now. */
  async #newAddress(text: string, settings: SessionSettings, signal: AbortSignal): Promise<string> {
    if (this.only) throw ownError('media_refused', 'the prepared clip is not there');
    const { proxy, ticket } = settings;
    const fetch = ticket ? withTicket(ticket).fetch : undefined;
    const body = generateBody(text, { ...settings, mode: 'translate' });
    const { mediaUrl } = await createSignClient({ proxy, fetch }).generate(body, { signal });
    if (mediaUrl === null) throw ownError('protocol_error', 'the answer names no video');
    return mediaUrl;
  }
}

/** An element with the attribute `prepared`. */
export type WithEdition = HTMLElement & { readonly prepared: string | null | undefined };

/** The prepared clip of a text; the element's label then says who made it. Rejects with the errors of `find`. */
export async function findPrepared(
  host: HTMLElement,
  prepared: string,
  { ref, text }: { readonly ref: string; readonly text: string },
  settings: SessionSettings,
): Promise<PreparedClip | null> {
  const clip = (await PreparedClips.load(prepared)).find(text, settings);
  if (clip) ClipLabel.of(host).add(ref, clip);
  return clip;
}

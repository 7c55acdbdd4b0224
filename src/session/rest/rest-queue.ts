// Which text goes next by REST, and what comes of it (SEMANTICS, REST transport). Policy: texts in call order, at most 3
// requests under way, cut at 20,000 bytes (the proxy's limit) unless they are for a stream, which is one a text; accepted
// when the response comes; a place is held from sending until played() or started(), so that unanswered and unplayed
// pieces are never more than maxUnplayed. A renewal is the same request again and waits for no place. The last 64 calls
// are remembered for renewals, and those that still hold a place.
import type { Generated } from '../../protocol/translation.ts';
import type { StreamManifests } from '../../protocol/find-url.ts';
import type { ResultFrame } from '../../protocol/server-frames.ts';
import { ownError, SignError } from '../../protocol/sign-error.ts';
import { whenAborted } from '../abort.ts';
import { Call } from '../call.ts';
import { KnownCalls } from '../known-calls.ts';
import { type Piece, tooLong } from '../piece.ts';
import type { Emit, SignResult } from '../session-events.ts';
import { byteLength, wellFormed } from '../split-text.ts';
import { newWireId } from '../wire-id.ts';
import { generateBody, type RestWishes } from './rest-body.ts';
import type { GenerateOptions, SignClient } from './rest-client.ts';

const MOST_UNDER_WAY = 3;
const MOST_BYTES = 20_000;

export interface RestQueueOptions {
  readonly client: SignClient;
  readonly wishes: RestWishes;
  readonly maxUnplayed: number;
  readonly emit: Emit;
}

export class RestQueue {
  /** Of the newest stream; null in translate mode. */
  manifests: StreamManifests | null = null;
  readonly #options: RestQueueOptions;
  readonly #known = new KnownCalls();
  /** Ends what is under way for a call. */
  readonly #stops = new Map<Call, AbortController>();
  readonly #streams = new WeakMap<Call, StreamManifests>();
  readonly #underWay = new Set<Piece>();
  #renewals = new AbortController();

  constructor(options: RestQueueOptions) {
    this.#options = options;
  }

  add(text: string, ref: string | undefined, signal: AbortSignal | undefined): Call {
    const { emit } = this.#options;
    const call = new Call({
      text: wellFormed(String(text ?? '')),
      ref: ref ?? newWireId(),
      signal,
      emit,
      settled: (settled) => this.#settled(settled),
    });
    if (call.outcome === 'failed') return call;
    const refusal = this.#refusal(call);
    if (refusal) {
      call.fail(refusal);
      // Later, so that the caller has the ref before the event names it.
      queueMicrotask(() => emit('sign-error', { error: refusal, ref: call.ref }));
    } else {
      this.#known.waiting.set(call.ref, call);
      this.#stops.set(call, new AbortController());
      this.#pump();
    }
    return call;
  }

  /** The stream of a text that is in one. */
  streamOf(call: Call): StreamManifests | null {
    return this.#streams.get(call) ?? null;
  }

  async renew(ref: string, index: number, signal: AbortSignal | undefined): Promise<SignResult> {
    const piece = this.#known.find(ref)?.pieces[index];
    if (!piece?.answeredAs) throw ownError('invalid_request', 'there is no such result to renew');
    const stop = new AbortController();
    const unlisten = [signal, this.#renewals.signal].map((each) =>
      whenAborted(each, (reason) => stop.abort(reason)),
    );
    try {
      return piece.toResult(frameOf(piece, await this.#generate(piece, { signal: stop.signal })));
    } finally {
      for (const each of unlisten) each();
    }
  }

  played(ref: string, index: number): void {
    if (this.#known.played(ref, index)) this.#pump();
  }

  started(ref: string): void {
    const call = this.#known.find(ref);
    call?.started();
    for (const piece of call?.pieces ?? []) if (!piece.open) this.#known.places.delete(piece);
    this.#pump();
  }

  /** Rejects the texts of which nothing was sent yet. */
  clear(): void {
    this.#known.clear();
  }

  /** Everything that waits or is under way fails for this reason. */
  drop(reason: unknown): void {
    // The last first: a place that comes free must not go to one that is dropped too.
    for (const call of [...this.#known.waiting.values()].reverse()) call.fail(reason);
    this.#renewals.abort(reason);
    this.#renewals = new AbortController();
    this.manifests = null;
  }

  #refusal(call: Call): SignError | null {
    const refusal = this.#known.refusal(call);
    if (refusal) return refusal;
    const isTooLong = this.#options.wishes.mode === 'stream' && byteLength(call.text) > MOST_BYTES;
    return isTooLong ? tooLong(MOST_BYTES, '') : null;
  }

  #settled(call: Call): void {
    this.#stops.get(call)?.abort();
    this.#stops.delete(call);
    if (this.#known.settle(call)) this.#pump();
  }

  #pump(): void {
    for (const call of this.#known.waiting.values()) {
      if (!this.#hasRoom) return;
      if (call.pieces.length === 0) call.fit(MOST_BYTES, '');
      for (const piece of call.pieces) {
        if (piece.state === 'waiting' && this.#hasRoom) void this.#sign(call, piece);
      }
    }
  }

  get #hasRoom(): boolean {
    return this.#underWay.size < MOST_UNDER_WAY && this.#known.places.size < this.#options.maxUnplayed;
  }

  async #sign(call: Call, piece: Piece): Promise<void> {
    const { emit, maxUnplayed } = this.#options;
    piece.state = 'sent';
    this.#underWay.add(piece);
    // Without a limit places are not counted: nobody would have to give them back.
    if (maxUnplayed < Infinity) this.#known.places.add(piece);
    try {
      const generated = await this.#generate(piece, {
        signal: this.#stops.get(call)?.signal,
        accepted: () => piece.open && call.accepted(piece),
        retrying: (error) => emit('sign-error', { error, ref: call.ref }),
      });
      if (piece.open) this.#arrived(call, piece, generated);
    } catch (error) {
      if (call.outcome === 'open') {
        call.fail(error);
        if (error instanceof SignError) emit('sign-error', { error, ref: call.ref });
      }
    } finally {
      this.#underWay.delete(piece);
      this.#pump();
    }
  }

  #arrived(call: Call, piece: Piece, generated: Generated): void {
    if (this.#options.wishes.mode === 'translate') return piece.answer(frameOf(piece, generated));
    if (!generated.manifests) throw ownError('protocol_error', 'the answer names no stream');
    this.manifests = generated.manifests;
    this.#streams.set(call, generated.manifests);
    piece.state = 'taken';
    call.appended(piece, null);
  }

  #generate(piece: Piece, options: GenerateOptions): Promise<Generated> {
    const { client, wishes } = this.#options;
    return client.generate(generateBody(piece.text, wishes), options);
  }
}

/** What came by REST, as the frame that V3 would have sent. @throws SignError `protocol_error` */
function frameOf(piece: Piece, { mediaUrl }: Generated): ResultFrame {
  if (mediaUrl === null) throw ownError('protocol_error', 'the answer names no video');
  return { type: 'result', ref: piece.wireId, url: mediaUrl };
}

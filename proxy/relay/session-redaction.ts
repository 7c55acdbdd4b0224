// Redaction in one session: secrets in the frames of the service are replaced, except those that the client has sent itself.
import { redactorFor, type Redactor } from '../credentials/redaction.ts';
import { type Message, messageOf } from './message.ts';

export class SessionRedaction {
  readonly #all: Redactor;
  readonly #known = new Set<string>();
  readonly #forClient: Redactor;

  /** `all` replaces every secret; those in `sent`, which the client has sent before its first message, are then left out. */
  constructor(all: Redactor, sent: readonly string[]) {
    this.#all = all;
    for (const secret of sent.flatMap((value) => all.secretsIn(value))) this.#known.add(secret);
    this.#forClient = redactorFor(all, () => [...this.#known]);
  }

  /** The client has sent this message to the service. */
  sent(message: Message): void {
    if (this.#isFree(message, message.plainText)) return;
    for (const secret of this.#all.secretsIn(message.text)) this.#known.add(secret);
  }

  /** A message of the service as the client gets it. */
  redacted(message: Message): Message {
    if (this.#isFree(message, message.plainResult)) return message;
    const text = this.#forClient.text(message.text);
    return text === message.text ? message : messageOf(Buffer.from(text, 'latin1'), message.isBinary);
  }

  /** Whether a plain message holds no secret: nothing else is searched in its bytes. */
  #isFree({ data, from, to }: Message, plain: { readonly hasEscapes: boolean } | null): boolean {
    return plain !== null && !plain.hasEscapes && this.#all.isFree(data, from, to);
  }
}

// A message between the two sides of a relay, with the frame in which it came: most frames are sent on as they are.
// - Its bytes may be in memory that the next message overwrites: a message that has to wait is copied by kept().
import { isAscii } from 'node:buffer';
import type { PlainResult, PlainText } from './plain-frames.ts';

/** A whole frame in one read of a connection. */
export interface Frame {
  readonly read: Buffer;
  /** Where it begins, where its payload begins, and where both end. A mask is in front of the payload. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

export class Message {
  /** Its bytes, without a mask, from `from` to `to`. */
  readonly data: Buffer;
  readonly from: number;
  readonly to: number;
  /** Whether all bytes are ASCII: then `text` is their text in UTF-8 too. */
  readonly isAscii: boolean;
  readonly isBinary: boolean;
  /** The frame in which it came and that may be sent on; null when a frame has to be made. */
  readonly frame: Frame | null;
  /** The text of a frame that was read in its bytes (plain-frames.ts); null for all other messages, which are parsed. */
  readonly plainText: PlainText | null;
  readonly plainResult: PlainResult | null;
  private string: string | null = null;

  constructor(
    data: Buffer,
    from: number,
    to: number,
    isAscii: boolean,
    isBinary: boolean,
    frame: Frame | null = null,
    plainText: PlainText | null = null,
    plainResult: PlainResult | null = null,
  ) {
    this.data = data;
    this.from = from;
    this.to = to;
    this.isAscii = isAscii;
    this.isBinary = isBinary;
    this.frame = frame;
    this.plainText = plainText;
    this.plainResult = plainResult;
  }

  get length(): number {
    return this.to - this.from;
  }

  /** Its bytes, one character each. */
  get text(): string {
    return (this.string ??= this.data.toString('latin1', this.from, this.to));
  }

  /** The same message in memory of its own. */
  kept(): Message {
    const data = Buffer.from(bytesOf(this));
    const { isAscii, isBinary, frame, plainText, plainResult } = this;
    return new Message(data, 0, data.length, isAscii, isBinary, frame, plainText, plainResult);
  }
}

export const messageOf = (data: Buffer, isBinary = false): Message =>
  new Message(data, 0, data.length, isAscii(data), isBinary);

export const bytesOf = ({ data, from, to }: Message): Buffer => data.subarray(from, to);

/** Undefined for invalid JSON. A byte order mark is dropped, because some parsers accept it. */
export function jsonOf(message: Message): unknown {
  try {
    return JSON.parse(
      message.isAscii
        ? message.text
        : bytesOf(message)
            .toString()
            .replace(/^\uFEFF/, ''),
    );
  } catch {
    return undefined;
  }
}

// A message between the two sides of a relay, with the frame in which it came: most frames are sent on as they are.
import { isAscii } from 'node:buffer';

export interface Message {
  /** Its bytes, one character each. */
  readonly text: string;
  /** Whether all bytes are ASCII: then `text` is their text in UTF-8 too. */
  readonly isAscii: boolean;
  readonly isBinary: boolean;
  /** The frame in which it came and that may be sent on; null when a frame has to be made. */
  readonly frame: Frame | null;
}

export interface FramedMessage extends Message {
  readonly frame: Frame;
}

/** A whole frame in one read of a connection. */
export interface Frame {
  readonly read: Buffer;
  /** Where it begins, where its payload begins, and where both end. A mask is in front of the payload. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

export const messageOf = (data: Buffer, isBinary = false): Message => ({
  text: data.toString('latin1'),
  isAscii: isAscii(data),
  isBinary,
  frame: null,
});

export const bytesOf = ({ text }: Message): Buffer => Buffer.from(text, 'latin1');

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

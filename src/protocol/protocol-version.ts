// The version of the V3 protocol (document 3, Versioning). Policy: a file of its own, because a page needs the word and
// not the schemas of the frames that carry it, and a bundler cannot tell that those have no effect.

/** The one protocol version this product speaks. */
export const PROTOCOL_VERSION = '3.0';

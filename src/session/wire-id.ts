// Ids of text messages. Policy: 128 bits from the platform's cryptographic source, never from an injected `random`: a
// `result.fetch` crosses sessions (document 3, rule 4), so an id that can be guessed is somebody else's video.
// (`crypto.randomUUID` would do, but is missing on pages served over plain http.)

/** 22 characters of URL-safe base64. */
export function newWireId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

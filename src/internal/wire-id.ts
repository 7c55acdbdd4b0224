// Makes the ids by which a text is known to the service and to the page.

/** A wire id: 22 characters of URL-safe base64, 128 bits of the platform's cryptographic source. */
export function newWireId(): string {
  // A `result.fetch` crosses sessions (document 3, rule 4): whoever guesses an id sees somebody else's video.
  // `crypto.randomUUID` is missing on pages served over plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

// Counts the interim responses (1xx) to one request to the service: none of them says anything to us, and each costs time.
import type { ClientRequest } from 'node:http';

/** The most interim responses to one request (RFC 9110, 15.2). */
const MAX_INTERIM_RESPONSES = 64;

/** `onTooMany` is called once. */
export function limitInterimResponses(request: ClientRequest, onTooMany: () => void): void {
  let count = 0;
  request.on('information', () => {
    count += 1;
    if (count === MAX_INTERIM_RESPONSES + 1) onTooMany();
  });
}

// Holds the service under test to one document: each case is a node test of its own, one after the other, on one service.
// Policy: what a case does not find elsewhere (payment, a sandbox) is said as the reason for which it is not run; against
// our own sandbox every case runs. The test files make the tests, because a test is told, and run again, by the file that
// calls for it.
import { after, before, type TestOptions } from 'node:test';
import type { Case } from './case.ts';
import type { DocumentNumber } from './sentences/index.ts';
import { elsewhere, serves, Service, type Elsewhere } from './service.ts';

/** Why a case does not run there; null when it does. */
export function whyNot(
  { needs }: Pick<Case, 'needs'>,
  document: DocumentNumber,
  place: Elsewhere | null,
): string | null {
  if (!place) return null;
  if (!serves(place, document)) return 'no address for this document';
  if (needs === 'sandbox') return 'only a sandbox can show it';
  if (needs === 'payment' && !place.paid) return 'costs money: CONFORMANCE_PAID=1 runs it';
  return null;
}

/** What the test of each case is made of. */
export function held(
  document: DocumentNumber,
  cases: readonly Case[],
): [name: string, options: TestOptions, run: () => Promise<void>][] {
  const place = elsewhere(process.env);
  let service: Service;
  before(async () => {
    service = await Service.open(place);
  });
  after(() => service.close());
  return cases.map(({ name, needs, run }) => [
    name,
    { skip: whyNot({ needs }, document, place) ?? false },
    async () => {
      try {
        await run(service);
      } finally {
        service.tidy();
      }
    },
  ]);
}

// Runs the cases of one document on the service under test: each once, one after the other, on one service.
// - Against a service elsewhere, a case that needs payment or a sandbox does not run, and that reason is printed. Against our own
//   sandbox every case runs.
// - Under the test runner a case is one test, so that the time limit of a test never applies to several cases together.
import { after, before, type TestOptions } from 'node:test';
import { inspect } from 'node:util';
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

/** Runs one case; null when the service holds to it, else what is wrong. */
export async function failureOf({ run }: Case, service: Service): Promise<string | null> {
  try {
    await run(service);
    return null;
  } catch (error) {
    // The message includes the cause, because `fetch failed` alone says nothing.
    return inspect(error);
  } finally {
    service.tidy();
  }
}

/** Runs each case as a test of its own. */
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
  return cases.map((one) => [
    one.name,
    { skip: whyNot(one, document, place) ?? false },
    async () => {
      const failure = await failureOf(one, service);
      if (failure !== null) throw new Error(`${one.shows.join(', ')}\n${failure}`);
    },
  ]);
}

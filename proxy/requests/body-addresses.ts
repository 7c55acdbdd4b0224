// The addresses that the service will fetch from or push to, in as much of a body as a route has checked: all of a live
// session's, `output.delivery` of a translation's. Policy: there, every field whose name ends in `url` and every text
// that looks like an address, however deep: a service may read a field's name more freely than we do. An address is
// refused when it can be read in two ways (a backslash, white space, two `@`), and when its host is not public. The
// hosts that the operator allowed count for the operator alone.
import { invalidFields, type FieldProblem } from './json-body.ts';
import { isPublicHost, type Resolve } from '../upstream/public-hosts.ts';

const schemes: readonly string[] = ['http', 'https', 'rtmp', 'rtmps', 'srt'];
const MAX_ADDRESSES = 16;

export interface AddressRules {
  /** Hosts beside the public ones, as host-name.ts spells them. */
  readonly allowedHosts: readonly string[];
  readonly resolve: Resolve;
}

/** @throws ProblemError naming every field whose address may not be used. `field` is the path of `value`. */
export async function checkAddresses(value: unknown, field: string, rules: AddressRules): Promise<void> {
  const found = addressesIn(value, field);
  if (found.length > MAX_ADDRESSES) {
    throw invalidFields([{ field, message: `must hold at most ${MAX_ADDRESSES} addresses` }]);
  }
  const verdicts = await Promise.all(
    found.map(async ([path, address]): Promise<readonly FieldProblem[]> => {
      const message = await whyNot(address, rules);
      return message === null ? [] : [{ field: path, message }];
    }),
  );
  const problems = verdicts.flat();
  if (problems.length > 0) throw invalidFields(problems);
}

type Found = readonly [path: string, address: string];

function addressesIn(value: unknown, path: string, isNamed = false): readonly Found[] {
  if (typeof value === 'string') return isNamed || looksLikeAddress(value) ? [[path, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    addressesIn(item, path === '' ? key : `${path}.${key}`, isNamed || /url$/i.test(key)),
  );
}

/** Parsers drop tabs, line breaks and what stands around, so they are no way to hide one. */
const looksLikeAddress = (value: string): boolean =>
  /^((https?|rtmps?|srt|ftp|file|data):|([a-z][a-z\d+.-]*:)?[\\/]{2})/i.test(
    value.replace(/[^\x21-\x7e]/g, ''),
  );

/** What is wrong with an address, null when nothing is. */
async function whyNot(address: string, { allowedHosts, resolve }: AddressRules): Promise<string | null> {
  const [, scheme = '', authority = ''] = /^([a-z]+):\/\/([^/?#]*)/i.exec(address) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) return `must be an address of ${schemes.join(', ')}`;
  // As http the parser spells hosts in one way only: 0x7f.1 and 2130706433 are 127.0.0.1.
  const asHttp = `http${address.slice(scheme.length)}`;
  const isPlain =
    /^[\x21-\x7e]+$/.test(address) && !address.includes('\\') && authority.split('@').length <= 2;
  if (!isPlain || !URL.canParse(asHttp)) return 'must be an address that can be read in one way only';
  const host = new URL(asHttp).hostname.replace(/^\[(.*)\]$/, '$1');
  if (allowedHosts.includes(host.replace(/\.$/, '')) || (await isPublicHost(host, resolve))) return null;
  return 'must be an address on a public host';
}

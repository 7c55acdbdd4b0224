// What a robots.txt allows `sign-prepare` to read (RFC 9309, 2.2).
// - The first 512 kB count (2.5). No rule is compiled to a regular expression, because some of those take long to match.

const NAME = 'sign-prepare';
const MOST_BYTES = 512_000;

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

const startOf = (robots: string): string =>
  Buffer.from(robots)
    .subarray(0, MOST_BYTES)
    .toString()
    .replace(/^\ufeff/, '');

/** The rules for our name, else for all. */
function rulesOf(robots: string): readonly Rule[] {
  const groups = new Map<string, Rule[]>();
  let names: string[] = [];
  let hasRules = false;
  for (const line of startOf(robots).split(/\r\n?|\n/)) {
    const [rule = ''] = line.split('#', 1);
    const colon = rule.indexOf(':');
    if (colon < 0) continue;
    const name = rule.slice(0, colon).trim().toLowerCase();
    const value = rule.slice(colon + 1).trim();
    if (name === 'user-agent') {
      if (hasRules) names = [];
      hasRules = false;
      names.push(value.toLowerCase());
    } else if (name === 'allow' || name === 'disallow') {
      hasRules = true;
      for (const one of names) {
        const rules = groups.get(one) ?? [];
        groups.set(one, rules);
        if (value) rules.push({ allows: name === 'allow', path: value });
      }
    }
  }
  return groups.get(NAME) ?? groups.get('*') ?? [];
}

/** Percent-encoded octets are compared in their encoded form (2.2.2). */
const encoded = (path: string): string => path.replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** `*` stands for any characters, and a `$` at the end for the end of the address. */
function matches({ path }: Rule, address: string): boolean {
  const toTheEnd = path.endsWith('$');
  const [first = '', ...words] = encoded(toTheEnd ? path.slice(0, -1) : path).split('*');
  if (!address.startsWith(first)) return false;
  const last = toTheEnd ? words.pop() : undefined;
  let at = first.length;
  for (const word of words) {
    const found = address.indexOf(word, at);
    if (found < 0) return false;
    at = found + word.length;
  }
  if (!toTheEnd) return true;
  return last === undefined
    ? at === address.length
    : address.length - last.length >= at && address.endsWith(last);
}

/** @param address path and query. The longest rule counts; of two that are equally long, the one that allows. */
export function isAllowed(robots: string, address: string): boolean {
  const [longest] = rulesOf(robots)
    .filter((rule) => matches(rule, address))
    .sort((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows));
  return longest?.allows ?? true;
}

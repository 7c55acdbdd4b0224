// What a robots.txt allows `sign-prepare` to read (RFC 9309, 2.2).

const NAME = 'sign-prepare';

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

/** The rules for our name, else for all. */
function rulesOf(robots: string): readonly Rule[] {
  const groups = new Map<string, Rule[]>();
  let names: string[] = [];
  let hasRules = false;
  for (const line of robots.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
    const name = field.toLowerCase();
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

const matches = ({ path }: Rule, address: string): boolean => {
  const words = path.replace(/\$$/, '').split('*');
  const pattern = words.map((word) => word.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}${path.endsWith('$') ? '$' : ''}`).test(address);
};

/** @param address path and query. The longest rule counts, of two equal ones that which allows. */
export function isAllowed(robots: string, address: string): boolean {
  const [longest] = rulesOf(robots)
    .filter((rule) => matches(rule, address))
    .sort((a, b) => b.path.length - a.path.length || Number(b.allows) - Number(a.allows));
  return longest?.allows ?? true;
}

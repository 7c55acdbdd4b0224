// The differences of two lists that have most members in common, in the same order.

interface Change<Member> {
  /** Index in the list to which all changes before this one have been made. */
  readonly at: number;
  /** Number of members that are removed there. */
  readonly count: number;
  readonly added: readonly Member[];
}

export function* changesBetween<Member>(
  old: readonly Member[],
  next: readonly Member[],
): Generator<Change<Member>, void> {
  const kept = new Set(next);
  for (let from = 0, at = 0; from < old.length || at < next.length;) {
    if (old[from] === next[at]) {
      from += 1;
      at += 1;
      continue;
    }
    let count = 0;
    for (; from < old.length && !kept.has(old[from]!); from += 1) count += 1;
    const first = at;
    while (at < next.length && next[at] !== old[from]) at += 1;
    yield { at: first, count, added: next.slice(first, at) };
  }
}

// The day and the month (UTC) in which something is counted.

const DAY_MS = 86_400_000;

/** Names such as `2026-11-23` and `2026-11`. */
export interface PeriodNames {
  readonly day: string;
  readonly month: string;
}

/**
 * Gives the current day and month, the same object all day long: they are computed once a day, because every frame needs them.
 * @param time milliseconds since 1970
 */
export function calendar(time: () => number): () => PeriodNames {
  let names: PeriodNames = { day: '', month: '' };
  let from = Infinity;
  return () => {
    const now = time();
    if (now >= from && now < from + DAY_MS) return names;
    const date = new Date(now).toISOString();
    names = { day: date.slice(0, '2026-11-23'.length), month: date.slice(0, '2026-11'.length) };
    from = Math.floor(now / DAY_MS) * DAY_MS;
    return names;
  };
}

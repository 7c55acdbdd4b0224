// The figures as a table: each contender's figure with its ratio to ours, and the goals under it.

/** Round-trip times in ms. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** `p50` and `p99` are those at the steady rate. */
export interface Figures extends Latency {
  readonly name: string;
  /** CPU time of the relay for a message and its answer, in microseconds: at full speed, and at the steady rate. */
  readonly cpu: number;
  readonly cpuPaced: number;
  /** Our CPU time as a multiple of it, turn by turn: the median. */
  readonly oursOver: number;
  /** Reads and writes for a message and its answer, at full speed. */
  readonly calls: number;
  /** Messages a second at full speed. */
  readonly perSecond: number;
  /** Round-trip times of many pages that send little. */
  readonly steady: Latency;
  /** Megabytes for a thousand idle sockets. */
  readonly memory: readonly number[];
}

interface Heading {
  readonly ours: string;
  readonly direct: string;
  readonly idle: readonly number[];
  readonly perSecond: number;
  readonly pages: number;
}

export function printTable(
  figures: readonly Figures[],
  { ours, direct, idle, perSecond, pages }: Heading,
): void {
  const we = figures.find(({ name }) => name === ours);
  const base = figures.find(({ name }) => name === direct);
  if (!we || !base) throw new Error('the table needs the proxy and the service alone');
  const beside = (value: number, other: number): string =>
    Number.isNaN(value) ? '' : `${value.toFixed(1)} (${(other / value).toFixed(2)})`;
  const rows = figures.map(({ name, ...row }) => ({
    relay: name,
    'CPU µs': name === direct ? '' : `${row.cpu.toFixed(1)} (${row.oursOver.toFixed(2)})`,
    'reads and writes a message': name === direct ? '' : row.calls.toFixed(2),
    [`CPU µs at ${perSecond}/s`]: name === direct ? '' : beside(row.cpuPaced, we.cpuPaced),
    'messages/s': Math.round(row.perSecond),
    'p50 ms': row.p50.toFixed(2),
    'p99 ms': row.p99.toFixed(2),
    'added p50 ms': name === direct ? '' : (row.p50 - base.p50).toFixed(2),
    'added p99 ms': name === direct ? '' : (row.p99 - base.p99).toFixed(2),
    [`p99 ms of ${pages} pages`]: row.steady.p99.toFixed(2),
    [`added p50, p99 ms of ${pages} pages`]:
      name === direct
        ? ''
        : `${(row.steady.p50 - base.steady.p50).toFixed(2)}, ${(row.steady.p99 - base.steady.p99).toFixed(2)}`,
    ...Object.fromEntries(
      idle.map((count, index) => [
        `MB/1,000 of ${count}`,
        beside(row.memory[index] ?? NaN, we.memory[index] ?? NaN),
      ]),
    ),
  }));
  const names = Object.keys(rows[0] ?? {});
  console.log(`\n| ${names.join(' | ')} |\n|${'---|'.repeat(names.length)}`);
  for (const row of rows) console.log(`| ${Object.values(row).join(' | ')} |`);
  console.log(
    `\nIn parentheses: ${ours} as a multiple of it. Goals: 1.2 of the socket pipe's CPU, 24 MB a thousand idle sockets, 5 ms more at p99 of ${pages} pages.`,
  );
}

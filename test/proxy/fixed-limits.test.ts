// The tables of fixed limits in docs/operating.md: each limit of the code is in them, with the number that the code has.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The constants of a file by their names, as they are written. */
function constantsOf(file: string): ReadonlyMap<string, string> {
  const text = readFileSync(join('proxy', file), 'utf8');
  return new Map(
    [...text.matchAll(/^(?:export )?const ([A-Z][A-Z_]+)\b[^=\n]*= ([^;]+);$/gm)].map(
      ([, name = '', written = '']) => [name, written],
    ),
  );
}

const files = readdirSync('proxy', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.startsWith('prepare'),
);
const constants = new Map(files.map((file) => [file, constantsOf(file)]));
const everywhere = new Map([...constants.values()].flatMap((ofFile) => [...ofFile]));

/** The value of a constant: a sum of products and quotients of numbers and other constants. */
const valueOf = (written: string): number =>
  written
    .split('+')
    .map((product) =>
      product
        .trim()
        .split(/ (?=[*/] )/)
        .reduce((value, factor) => {
          const [, sign = '*', word = ''] = /^(?:([*/]) )?(.+)$/.exec(factor) ?? [];
          const number = /^\d/.test(word)
            ? Number(word.replaceAll('_', ''))
            : valueOf(everywhere.get(word) ?? word);
          return sign === '/' ? value / number : value * number;
        }, 1),
    )
    .reduce((sum, value) => sum + value, 0);

const UNITS: Readonly<Record<string, number>> = {
  kB: 1024,
  MB: 1024 * 1024,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
};

/** The number in a cell of a table, in bytes or milliseconds where it has a unit. */
function numberIn(cell: string): number {
  const [, number = '', unit = ''] = /^([\d,]+)(?: (\w+))?$/.exec(cell) ?? [];
  return Number(number.replaceAll(',', '')) * (UNITS[unit] ?? 1);
}

const isLimit = (name: string): boolean => /^MAX_|^(SERVICE_)?LIMITS$|_PER_MINUTE$|^BODY_BYTES$/.test(name);

const rows = [
  ...readFileSync('docs/operating.md', 'utf8').matchAll(
    /^\|[^|]+\| ([^|]+?) +\|[^|]+\| `([\w/.-]+\.ts)` `([A-Z_]+)` +\|$/gm,
  ),
];

test('the tables list exactly the limits of the code', () => {
  const inTables = new Set(rows.map(([, , file, name]) => `${file} ${name}`));
  const inCode = [...constants].flatMap(([file, ofFile]) =>
    [...ofFile.keys()].filter(isLimit).map((name) => `${file} ${name}`),
  );
  assert.ok(inCode.length > 40, `${inCode.length} were found`);
  assert.deepEqual(
    inCode.filter((limit) => !inTables.has(limit)),
    [],
  );
});

for (const [, cell = '', file = '', name = ''] of rows) {
  test(`${name} of ${file} is ${cell}`, () => {
    const written = constants.get(file)?.get(name);
    assert.ok(written, 'the code has it');
    const object = /^\{ depth: (\d+), values: ([\d_]+) \}$/.exec(written);
    if (object === null) {
      const value = valueOf(written) * (name.endsWith('_SECONDS') ? 1_000 : 1);
      assert.equal(numberIn(cell.replace(' characters', '')), value);
    } else {
      const [depth = 0, values = 0] = object.slice(1).map((number) => valueOf(number));
      assert.equal(cell, `${depth} levels, ${values.toLocaleString('en')} items`);
    }
  });
}

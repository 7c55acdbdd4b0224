// Searches all that the proxies of a test run sent and logged (record.mjs) for every secret that they were given, in every
// spelling.
// - A request id is left out: a client gets its own back, also one that is a secret. test/proxy/hostile/answers.test.ts tests
//   that the service's id is redacted.
// - One hit fails, and so does a record that is too small, because a broken recorder must not look like a run without leaks.
// - As a program it takes the folder as its argument.
// - The last line says how much was searched.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spellingsOf } from './spellings.mjs';

/** About a third of what a whole run records. */
const MINIMUM = { proxies: 90, answers: 800, sockets: 50, lines: 500, metrics: 60, secrets: 12 };

/**
 * @typedef {{ proxies: number, answers: number, sockets: number, lines: number, metrics: number, secrets: number }} Counts
 * @typedef {{ where: string, spelling: string, around: string }} Hit
 */

/**
 * @param {string} folder of the records
 * @returns {{ hits: Hit[], counts: Counts, bytes: number }}
 */
export function scan(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const secrets = new Set();
  const counts = { proxies: 0, answers: 0, sockets: 0, lines: 0, metrics: 0, secrets: 0 };
  for (const file of files) {
    for (const [kind, value] of entriesOf(join(folder, file))) if (kind === 'secret') secrets.add(value);
  }
  counts.secrets = secrets.size;
  const search = searchFor([...secrets].flatMap(spellingsOf));

  const hits = [];
  let bytes = 0;
  const look = (where, text) => {
    bytes += text.length;
    for (const { spelling, at } of search(text)) {
      hits.push({ where, spelling, around: text.slice(Math.max(0, at - 80), at + spelling.length + 80) });
    }
  };
  for (const file of files) {
    const connections = new Map();
    let log = '';
    for (const [kind, ...values] of entriesOf(join(folder, file))) {
      if (kind === 'proxy') counts.proxies += 1;
      if (kind === 'log') log += values[0];
      if (kind !== 'said') continue;
      const [id, text] = values;
      connections.set(id, (connections.get(id) ?? '') + text);
    }
    counts.lines += log.split('\n').filter((line) => line.startsWith('{"level":')).length;
    look(`${file}, log`, log);
    for (const [id, text] of connections) {
      counts.answers += text.match(/HTTP\/1\.1 [2-5]\d\d /g)?.length ?? 0;
      counts.sockets += text.match(/HTTP\/1\.1 101 /g)?.length ?? 0;
      counts.metrics += text.match(/^# TYPE sign_proxy_sockets gauge$/gm)?.length ?? 0;
      look(`${file}, connection ${id}`, text.replaceAll(/^x-request-id: .*$/gim, ''));
    }
  }
  return { hits, counts, bytes };
}

/**
 * A message for each count of a record that is below its minimum.
 * @param {Readonly<Record<string, number>>} counts
 * @param {Readonly<Record<string, number>>} minimum
 */
export const tooSmall = (counts, minimum = MINIMUM) =>
  Object.entries(minimum).flatMap(([what, least]) =>
    counts[what] < least ? [`${counts[what]} ${what} where at least ${least} are expected`] : [],
  );

function* entriesOf(file) {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    try {
      yield JSON.parse(line);
    } catch {
      // The incomplete last line of a process that was killed while it wrote.
    }
  }
}

/** Finds any of many words in one pass. It compares words only where three bytes are the first three of a word. */
function searchFor(words) {
  const begins = new Uint8Array(1 << 24);
  const byStart = new Map();
  for (const word of words) {
    const start = keyAt(word, 0);
    begins[start] = 1;
    byStart.set(start, [...(byStart.get(start) ?? []), word]);
  }
  return function* (text) {
    for (let at = 0; at + 3 <= text.length; at += 1) {
      const start = keyAt(text, at);
      if (begins[start] === 0) continue;
      for (const spelling of byStart.get(start) ?? [])
        if (text.startsWith(spelling, at)) yield { spelling, at };
    }
  };
}

const keyAt = (text, at) =>
  ((text.charCodeAt(at) & 255) << 16) |
  ((text.charCodeAt(at + 1) & 255) << 8) |
  (text.charCodeAt(at + 2) & 255);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { hits, counts, bytes } = scan(process.argv[2] ?? '.');
  for (const { where, spelling, around } of hits) {
    console.log(`${where}: ${JSON.stringify(spelling)} in ${JSON.stringify(around)}`);
  }
  const problems = tooSmall(counts);
  for (const problem of problems) console.log(`too little was recorded: ${problem}`);
  const counted = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(`${counted.join(', ')}, ${(bytes / 1e6).toFixed(1)} MB: ${hits.length} hits`);
  process.exitCode = hits.length > 0 || problems.length > 0 ? 1 : 0;
}

// The documents agree with the code.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { credentialsOf } from '../../demo/sandbox/addresses.ts';
import { clientFrameSchemas } from '../../src/protocol/client-frames.ts';
import { errorFromAnswer } from '../../src/protocol/rest-error.ts';
import { parseServerFrame } from '../../src/protocol/server-frames.ts';
import { serviceErrors } from '../../src/protocol/service-errors.ts';
import { ownErrors } from '../../src/protocol/own-errors.ts';
import { en } from '../../src/strings/en.ts';
import { errorMessage } from '../../src/strings/errors.ts';
import { closeCodes } from '../../src/protocol/websocket.ts';
import { ofLanguage, place } from './samples.ts';

const files = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'proxy/README.md'],
  ...readdirSync('docs', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `docs/${name}`),
];
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The cells of the table under this heading of a document, trimmed and without backquotes. */
function table(file: string, heading: string): string[][] {
  const [, below] = texts.get(file)!.split(`\n${heading}\n`);
  assert.ok(below, `no ${heading} in ${file}`);
  const [, , ...rows] = /(?:^\|.*\n)+/m.exec(below)![0].trimEnd().split('\n');
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const toVisitor = (code: string, severity: string): string => errorMessage({ code, severity }, en).text;

test('docs/errors.md has every code of the elements, with its meaning and the sentence that a visitor reads', () => {
  assert.deepEqual(
    table('docs/errors.md', '### Codes of the elements').map((row) => row.slice(0, 5)),
    Object.entries(ownErrors).map(([code, { severity, retryable, meaning }]) => [
      ...[code, severity, retryable ? 'yes' : 'no', meaning],
      toVisitor(code, severity),
    ]),
  );
});

test('docs/errors.md has every code of the service, with the sentence that a visitor reads', () => {
  assert.deepEqual(
    table('docs/errors.md', '### Codes of the service').map(([code, severity, retryable, , visitor]) => [
      ...[code, severity, retryable],
      visitor,
    ]),
    Object.entries(serviceErrors).map(([code, { severity, retryable }]) => [
      ...[code, severity, retryable ? 'yes' : 'no'],
      toVisitor(code, severity),
    ]),
  );
});

test('docs/errors.md has every code of the proxy, with its status and the sentence that a visitor reads', () => {
  const sent = [...readFileSync('proxy/problem.ts', 'utf8').matchAll(/^ {2}(\w+): row\(\s*(\d+)/gm)].filter(
    ([, code]) => code !== 'client_closed',
  );
  assert.ok(sent.length > 15);
  assert.deepEqual(
    table('docs/errors.md', '### Codes of the proxy').map(([code, status, , visitor]) => [
      code,
      status,
      visitor,
    ]),
    sent.map(([, code, status]) => {
      const answer = { status: Number(status), body: { code }, retryAfterSeconds: null, requestId: null };
      const { severity } = errorFromAnswer(answer);
      return [code, status, toVisitor(code!, severity)];
    }),
  );
});

test('docs/protocol.md shows frames as client and service send them', () => {
  const frames = ofLanguage('json').filter(({ file }) => file === 'docs/protocol.md');
  assert.ok(frames.length > 5);
  for (const sample of frames) {
    const frame = JSON.parse(sample.code) as { type: string };
    const sent = clientFrameSchemas[frame.type as keyof typeof clientFrameSchemas];
    const isWellFormed = sent
      ? sent.safeParse(frame).success
      : parseServerFrame(JSON.stringify(frame)).kind === 'frame';
    assert.ok(isWellFormed, place(sample));
  }
});

test('docs/protocol.md has the times and close codes of the code', () => {
  for (const [time, , constant] of table('docs/protocol.md', '## 12. Times')) {
    const [, name, file] = /^(\w+) in (\S+)$/.exec(constant!)!;
    const [, value] = new RegExp(`^const ${name} = ([\\d_]+);`, 'm').exec(readFileSync(file!, 'utf8'))!;
    assert.equal(time, `${Number(value!.replaceAll('_', '')) / 1000} s`, name);
  }
  assert.deepEqual(
    table('docs/protocol.md', '## 11. Close codes of the proxy').map(([code]) => Number(code)),
    Object.values(closeCodes),
  );
});

interface Manifest {
  modules: { declarations: ({ tagName: string } & Record<string, { name: string }[]>)[] }[];
}

test('the page of each element on the site has everything that the manifest describes, and a live example', () => {
  const manifest = JSON.parse(readFileSync('custom-elements.json', 'utf8')) as Manifest;
  const elements = manifest.modules.flatMap(({ declarations }) => declarations);
  assert.equal(elements.length, 4);
  for (const element of elements) {
    const html = readFileSync(`dist/docs/${element.tagName}.html`, 'utf8');
    const kinds = [
      'attributes',
      'members',
      'events',
      'slots',
      'cssParts',
      'cssProperties',
      'cssStates',
    ] as const;
    for (const { name } of kinds.flatMap((kind) => element[kind] ?? [])) {
      const isAttribute = element.attributes!.some(
        (one) => (one as { fieldName?: string }).fieldName === name,
      );
      assert.ok(isAttribute || new RegExp(`<code>${name}\\b`).test(html), `${element.tagName}: ${name}`);
    }
    assert.match(html, new RegExp(`class="live"[^]*<${element.tagName}\\b`));
    assert.match(html, /id="accessibility"/);
  }
});

test('docs/proxy.md has every variable of the proxy, and no other', () => {
  const variables = (text: string): string[] => {
    const names = [...text.matchAll(/\bSIGN_[A-Z_]*[A-Z]/g)].map(([name]) => name.replace(/_FILE$/, ''));
    return [...new Set(names)].sort();
  };
  const sources = readdirSync('proxy', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const read = sources.map((file) => readFileSync(join('proxy', file), 'utf8')).join('\n');
  assert.deepEqual(variables(texts.get('docs/proxy.md')!), variables(read));
});

test('README has at most 200 lines', () => {
  assert.ok(texts.get('README.md')!.split('\n').length <= 200);
});

for (const [file, text] of texts) {
  test(`${file}: every npm script, file and page that it names exists`, () => {
    for (const [, name] of text.matchAll(/npm run ([a-z][\w:-]*)/g)) assert.ok(name! in scripts, name);
    for (const [, path] of text.matchAll(/`((?:demo|proxy|src|test)\/[\w./-]+)`/g)) {
      assert.ok(existsSync(path!) || /\/secrets\//.test(path!), path);
    }
    for (const [, path] of text.matchAll(/\]\((?!https?:)([\w./-]+)(?:#[\w-]+)?\)/g)) {
      assert.ok(existsSync(join(dirname(file), path!)), path);
    }
  });
}

test('no document has a credential of the sandbox, because the search for leaked secrets would find it there', () => {
  for (const [file, text] of texts) {
    for (const credential of Object.values(credentialsOf(1)))
      assert.ok(!text.includes(credential), `${file} has ${credential}`);
  }
});

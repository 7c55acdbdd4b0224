// Imports run one way. The table is the house's layout: a part may import itself, the parts in its row and the packages
// in its row, and nothing else. Parts are files or folders; the longest that fits a file is its part.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { filesIn, importsOf, neededBy } from './source-files.ts';

interface Part {
  parts: string[];
  /** Names without subpath; `node:` stands for all of Node's own modules. */
  packages: string[];
}

const layout: Record<string, Part> = {
  'src/internal': { parts: [], packages: [] },
  'src/protocol': { parts: [], packages: ['zod/mini'] },
  'src/session': { parts: ['src/protocol', 'src/internal'], packages: [] },
  'src/playback': {
    parts: ['src/protocol/sign-error.ts', 'src/internal'],
    packages: ['hls.js', 'shaka-player'],
  },
  'src/strings': { parts: ['src/internal'], packages: [] },
  'src/page': { parts: ['src/strings', 'src/protocol/http-url.ts', 'src/internal'], packages: [] },
  'src/elements': {
    parts: ['src/session', 'src/playback', 'src/page', 'src/strings', 'src/protocol', 'src/internal'],
    packages: ['lit'],
  },
  'src/define': { parts: ['src/elements', 'src/internal'], packages: [] },
  'src/index.ts': { parts: ['src/elements', 'src/client.ts'], packages: [] },
  'src/client.ts': { parts: ['src/session', 'src/protocol'], packages: [] },
  'src/define.ts': { parts: ['src/define'], packages: [] },
  'src/cdn.ts': { parts: ['src/define.ts', 'src/elements', 'src/internal'], packages: [] },
  'src/react.ts': {
    parts: ['src/define.ts', 'src/elements', 'src/internal'],
    packages: ['react', '@lit/react'],
  },
  'src/vue.d.ts': { parts: ['src/elements', 'src/internal'], packages: ['vue'] },
  proxy: {
    parts: ['src/protocol'],
    packages: ['node:', '@redis/client', 'fastify', 'oauth4webapi', 'prom-client', 'ws', 'zod/mini'],
  },
  'demo/sandbox': {
    parts: ['src/protocol'],
    packages: ['node:', 'zod/mini', 'node-av', 'mediabunny', 'ws', 'fastify', '@fastify/formbody', 'jose'],
  },
  'demo/event-source': { parts: ['demo/sandbox'], packages: ['fastify'] },
  demo: {
    parts: ['proxy/index.ts', 'demo/sandbox/index.ts', 'demo/event-source'],
    packages: ['node:', 'fastify', '@fastify/static'],
  },
};

const isWithin = (file: string, part: string) => file === part || file.startsWith(`${part}/`);

function partOf(file: string): string | undefined {
  const parts = Object.keys(layout).filter((part) => isWithin(file, part));
  return parts.sort((a, b) => b.length - a.length)[0];
}

/** Why `file` may not import `specifier`, or null. */
function objection(file: string, specifier: string): string | null {
  const part = partOf(file);
  if (part === undefined) return `${file} belongs to no part of the layout`;
  const { parts, packages } = layout[part] as Part;
  if (specifier.startsWith('.')) {
    const target = join(dirname(file), specifier);
    if (partOf(target) === part || parts.some((allowed) => isWithin(target, allowed))) return null;
  } else if (
    packages.some(
      (name) => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`),
    )
  ) {
    return null;
  }
  return `${file} imports ${specifier}`;
}

test('every import runs in a direction that the layout allows', () => {
  const files = filesIn(['src', 'proxy', 'demo'], ['.ts']);
  assert.ok(files.length > 20, 'the sources were found');
  const objections = files.flatMap((file) => importsOf(file).map((specifier) => objection(file, specifier)));
  assert.deepEqual(
    objections.filter((found) => found !== null),
    [],
  );
});

/** The files of a round of needs, the first once more at the end; null when nothing needs itself. */
function roundIn(files: readonly string[], needs: (file: string) => readonly string[]): string[] | null {
  const clean = new Set<string>();
  const follow = (file: string, way: readonly string[]): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (clean.has(file)) return null;
    for (const next of needs(file)) {
      const round = follow(next, [...way, file]);
      if (round) return round;
    }
    clean.add(file);
    return null;
  };
  for (const file of files) {
    const round = follow(file, []);
    if (round) return round;
  }
  return null;
}

test('no module has to run before itself', () => {
  const files = filesIn(['src', 'proxy', 'demo'], ['.ts']);
  const needs = (file: string): string[] =>
    neededBy(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(file), specifier));
  assert.deepEqual(roundIn(files, needs), null);
});

test('a round of needs is told, by way of others too', () => {
  const needs: Record<string, string[]> = { a: ['b', 'c'], b: ['c'], c: ['d'], d: ['b'] };
  assert.deepEqual(
    roundIn(['a'], (file) => needs[file] ?? []),
    ['b', 'c', 'd', 'b'],
  );
});

const refused: [file: string, specifier: string][] = [
  ['src/session/queue.ts', '../playback/clip.ts'],
  ['src/playback/clip.ts', '../protocol/server-frames.ts'],
  ['src/playback/clip.ts', 'lit'],
  ['src/protocol/frames.ts', '../session/queue.ts'],
  ['src/protocol/frames.ts', 'node:fs'],
  ['src/elements/element.ts', '../define/sign-translate.ts'],
  ['src/index.ts', './define.ts'],
  ['src/elements/element.ts', '../client.ts'],
  ['proxy/routes/ws.ts', '../../src/session/queue.ts'],
  ['proxy/server.ts', '../demo/sandbox/index.ts'],
  ['demo/sandbox/service.ts', '../../proxy/index.ts'],
  ['demo/main.ts', './sandbox/service.ts'],
];

for (const [file, specifier] of refused) {
  test(`${file} may not import ${specifier}`, () => {
    assert.notEqual(objection(file, specifier), null);
  });
}

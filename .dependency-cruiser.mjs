// Which part of the code may import which, checked by dependency-cruiser in `npm run lint`.
// - A part imports itself and what its row names, and nothing else; a part is a file or a folder, the longest that fits.
// - No file imports itself by way of others, not even for types.
// - Every import resolves.
const layout = {
  'src/internal': [],
  'src/protocol': ['zod/mini'],
  'src/session': ['src/protocol', 'src/internal'],
  'src/playback': ['src/protocol/(own-errors|sign-error)[.]ts', 'src/internal', 'hls.js', 'shaka-player'],
  'src/strings': ['src/internal'],
  'src/panel': ['src/internal', 'lit'],
  'src/page': ['src/strings', 'src/protocol/http-url[.]ts', 'src/internal'],
  'src/elements': [
    ...[
      'src/session',
      'src/playback',
      'src/page',
      'src/panel',
      'src/strings',
      'src/protocol',
      'src/internal',
    ],
    'lit',
  ],
  'src/define': ['src/elements', 'src/internal'],
  'src/index.ts': ['src/elements', 'src/playback/live', 'src/protocol/signers[.]ts', 'src/client.ts'],
  'src/vue.d.ts': ['src/types', 'src/elements', 'vue'],
  'src/client.ts': ['src/session', 'src/protocol'],
  'src/dash.ts': ['src/playback'],
  'src/define.ts': ['src/define'],
  'src/cdn.ts': ['src/define.ts', 'src/elements', 'src/internal'],
  'src/cdn.classic.ts': ['src/panel/launcher.ts', 'src/page/nearest-lang.ts'],
  'src/react.ts': ['src/define.ts', 'src/elements', 'src/playback', 'src/types', 'react'],
  'src/development': ['src/define', 'src/define.ts', 'src/react.ts', 'src/elements', 'src/internal'],
  'src/types': ['src/elements', 'react', 'preact', 'solid-js', 'svelte', 'vue'],
  proxy: [
    'src/protocol',
    ...[
      'node:',
      '@redis/client',
      'fastify',
      'ipaddr.js',
      'oauth4webapi',
      'prom-client',
      'ws',
      'yaml',
      'zod/mini',
    ],
  ],
  'proxy/prepare': [
    ...['proxy/config[.]ts', 'proxy/addresses[.]ts', 'proxy/credentials/redaction[.]ts', 'src/page'],
    ...['src/session', 'src/protocol', 'src/playback/mp4'],
    ...['node:', 'fastify', 'happy-dom'],
  ],
  // What it checks it states itself, so that one misreading of a document cannot pass on both sides.
  'demo/sandbox': [
    ...['node:', 'zod/mini', 'node-av', 'mediabunny', 'ws', 'fastify', '@fastify/formbody', 'jose'],
  ],
  'demo/event-source': ['demo/sandbox', 'fastify'],
  demo: [
    ...['proxy/index.ts', 'demo/sandbox/index.ts', 'demo/event-source'],
    ...['node:', 'fastify', '@fastify/static'],
  ],
};

const parts = Object.keys(layout);
const within = (path) => `^${path}(/|$)`;
/** The files of a part, without those of the parts inside it. */
const own = (part) => {
  const inner = parts
    .filter((other) => other.startsWith(`${part}/`))
    .map((other) => other.slice(part.length));
  return inner.length === 0 ? within(part) : `^${part}(?!(${inner.join('|')})(/|$))(/|$)`;
};
/** A row's entry as dependency-cruiser sees what it stands for: a path here, a folder of node_modules, or Node itself. */
const pattern = (entry) => {
  if (/^(src|proxy|demo)\b/.test(entry)) return within(entry);
  return `^(node_modules/|node_modules/@types/|)${entry}(/|$)`;
};

export default {
  forbidden: [
    ...parts.map((part) => ({
      name: `imports of ${part}`,
      severity: 'error',
      from: { path: own(part) },
      to: {
        ...(layout[part].includes('node:') && { dependencyTypesNot: ['core'] }),
        pathNot: [own(part), ...layout[part].filter((entry) => entry !== 'node:').map(pattern)],
      },
    })),
    {
      name: 'a file of no part',
      severity: 'error',
      from: { pathNot: parts.map(within) },
      to: {},
    },
    { name: 'a cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // What a page loads as it is, what `tsc` does not compile, and projects of their own.
    exclude: { path: '^(demo/(pages|examples)/|demo/.*[.]mjs$)' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'default'] },
  },
};
